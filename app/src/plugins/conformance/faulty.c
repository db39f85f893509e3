/*
 * A small game that uses most of the ABI, made to test the conformance checks:
 * built as it stands it passes all of them; built with -DFAULT="name" it has
 * that one fault, which its check must find.
 *
 * The game: pawns on a board of 3 x 3 move forward and take diagonally; beside the
 * board lie two cards, face down, drawn by the seed. A turn is a pawn's move or
 * the turning of a card, which then shows for half a second. Who reaches the far
 * row wins, and so does the opponent of a player without a move.
 */
#include "game_plugin.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef FAULT
#define FAULT ""
#endif

enum { SIDE = 3, BOARD = SIDE * SIDE, CARDS = 2, CELLS = BOARD + CARDS, MAX_MOVES = 32 };
enum { LEVELS = 2, LADDER = 3 };

typedef struct State {
    uint16_t cell[BOARD]; /* 0, or 1 + player */
    uint16_t face[CARDS]; /* 3 or 4: the piece that shows when the card is up */
    uint16_t up[CARDS];
    uint16_t turn, phase, outcome, reason, winner, last;
    uint32_t move_number, limit, pass, bonus, captures[2];
    struct State *shared; /* the original, under the fault "clone-shares" */
} State;

static int faulty(const char *name) { return strcmp(FAULT, name) == 0; }

/* ---- Text ---------------------------------------------------------------------- */

static int is_zh(GpStr lang) { return lang.len >= 2 && memcmp(lang.ptr, "zh", 2) == 0; }

static int is_utf8(GpStr text) {
    for (uint64_t i = 0; i < text.len;) {
        uint8_t c = text.ptr[i];
        int more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : -1;
        if (more < 0 || i + (uint64_t)more >= text.len) return 0;
        for (int k = 1; k <= more; k++)
            if ((text.ptr[i + (uint64_t)k] & 0xC0) != 0x80) return 0;
        i += (uint64_t)more + 1;
    }
    return 1;
}

static int is_bad(GpStr text) {
    if (faulty("utf8-unchecked")) return text.ptr == NULL && text.len > 0;
    return (text.ptr == NULL && text.len > 0) || !is_utf8(text);
}

static int32_t put(GpText *out, const char *text) {
    size_t len = strlen(text);
    if (out == NULL) return GP_E_ARGUMENT;
    out->len = len;
    if (faulty("need-lies") && len > out->cap) out->len = len - 1;
    if (faulty("buffer-ignored") && len > out->cap) return GP_OK;
    if (len > out->cap) return GP_E_BUFFER;
    if (len > 0 && out->ptr == NULL) return GP_E_ARGUMENT;
    memcpy(out->ptr, text, len);
    if (faulty("text-overrun")) out->ptr[len] = 0;
    return GP_OK;
}

static int32_t putf(GpText *out, const char *format, ...) {
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return put(out, text);
}

static int32_t fail(int32_t code, GpText *err, const char *text) {
    if (err != NULL) {
        size_t len = strlen(text);
        if (len > err->cap) {
            len = (size_t)err->cap;
            while (!faulty("error-cut") && len > 0 && ((uint8_t)text[len] & 0xC0) == 0x80) len--;
        }
        if (len > 0) memcpy(err->ptr, text, len);
        err->len = len;
    }
    return code;
}

/* ---- Rules ----------------------------------------------------------------------- */

static GpMove move(uint16_t kind, uint16_t from, uint16_t to, uint16_t arg) {
    GpMove mv = {kind, from, to, arg};
    return mv;
}

static int is_same(GpMove a, GpMove b) {
    return a.kind == b.kind && a.from == b.from && a.to == b.to && a.arg == b.arg;
}

static size_t pawn_moves(const State *s, GpMove *out) {
    size_t n = 0;
    int dir = s->turn == 0 ? -1 : 1;
    for (int i = 0; i < BOARD; i++) {
        int row = i / SIDE + dir;
        if (s->cell[i] != s->turn + 1 || row < 0 || row >= SIDE) continue;
        for (int d = -1; d <= 1; d++) {
            int col = i % SIDE + d;
            if (col < 0 || col >= SIDE) continue;
            int to = row * SIDE + col;
            uint16_t wanted = d == 0 ? 0 : (uint16_t)(2 - s->turn);
            if (s->cell[to] == wanted) out[n++] = move(GP_MOVE_STEP, (uint16_t)i, (uint16_t)to, 0);
        }
    }
    return n;
}

/* Cells 9 and 10 carry the cards that take part. */
static int has_card(const State *s, int card) { return s->face[card] != 0; }

static size_t all_moves(const State *s, GpMove *out) {
    size_t n = 0;
    if (s->outcome != GP_OUTCOME_RUNNING) {
        if (faulty("moves-after-end")) out[n++] = move(GP_MOVE_PASS, GP_NONE, GP_NONE, 0);
        return n;
    }
    if (s->phase == 1) {
        if (!faulty("timeout-unlisted") || s->move_number < 2) out[n++] = move(GP_MOVE_TIMEOUT, GP_NONE, GP_NONE, 0);
        return n;
    }
    n = pawn_moves(s, out);
    if (s->pass) out[n++] = move(GP_MOVE_PASS, GP_NONE, GP_NONE, 0);
    for (int i = 0; i < CARDS; i++)
        if (has_card(s, i) && !s->up[i]) out[n++] = move(GP_MOVE_TAP, GP_NONE, (uint16_t)(BOARD + i), 0);
    if (faulty("duplicate-move") && n > 0) {
        out[n] = out[0];
        n++;
    }
    if (faulty("lists-resign")) out[n++] = move(GP_MOVE_RESIGN, GP_NONE, GP_NONE, 0);
    if (faulty("lists-illegal")) out[n++] = move(GP_MOVE_TAP, GP_NONE, 0, 0);
    static atomic_uint calls;
    if (faulty("unstable-order") && n > 1 && atomic_fetch_add(&calls, 1) % 2) {
        GpMove first = out[0];
        out[0] = out[1];
        out[1] = first;
    }
    return n;
}

static void finish(State *s, uint16_t outcome, uint16_t winner, uint16_t reason) {
    s->outcome = outcome;
    s->winner = winner;
    s->reason = reason;
    s->phase = 0;
}

static int is_listed(const State *s, GpMove mv) {
    GpMove list[MAX_MOVES];
    size_t n = all_moves(s, list);
    if (faulty("accepts-any-arg") && mv.kind == GP_MOVE_STEP) mv.arg = 0;
    for (size_t i = 0; i < n; i++)
        if (is_same(list[i], mv)) return !(faulty("lists-illegal") && mv.kind == GP_MOVE_TAP && mv.to == 0);
    return 0;
}

/* Pawns on the board and the turn may be set up at any time; cards may not. */
static int is_setup(const State *s, GpMove mv) {
    if (mv.from != GP_NONE || (faulty("setup-not-after-end") && s->outcome != GP_OUTCOME_RUNNING)) return 0;
    if (mv.to == GP_NONE) return mv.arg < 2;
    return (mv.to < BOARD && mv.arg <= 2) || (faulty("setup-off-board") && mv.to == CELLS);
}

static int is_legal(const State *s, GpMove mv) {
    int runs = s->outcome == GP_OUTCOME_RUNNING;
    if (mv.kind == GP_MOVE_SETUP) return is_setup(s, mv);
    if (faulty("resign-refused") && mv.kind == GP_MOVE_RESIGN) return 0;
    if (mv.kind == GP_MOVE_RESIGN) return runs && s->phase == 0 && mv.from == GP_NONE && mv.to == GP_NONE && mv.arg == 0;
    if (mv.kind == GP_MOVE_FLAG) return runs && mv.from == GP_NONE && mv.to == GP_NONE && (mv.arg < 2 || faulty("flag-of-nobody"));
    if (mv.kind == GP_MOVE_TIMEOUT && mv.arg == 1 && s->phase == 1 && !faulty("no-redeal")) mv.arg = 0;
    return is_listed(s, mv);
}

static int32_t apply(GpState state, GpMove mv, uint32_t *events) {
    State *s = state;
    if (s == NULL) return GP_E_ARGUMENT;
    if (s->shared != NULL) s = s->shared;
    if (!is_legal(s, mv)) {
        if (faulty("illegal-counts")) s->move_number++;
        if (faulty("illegal-marks") && mv.to < BOARD) s->last = mv.to;
        return faulty("wrong-code") ? GP_E_ARGUMENT : GP_E_ILLEGAL;
    }
    uint32_t happened = 0;
    if (!faulty("count-stands") || s->move_number < 3) s->move_number++;
    if (mv.kind == GP_MOVE_RESIGN || mv.kind == GP_MOVE_FLAG) {
        uint16_t loser = mv.kind == GP_MOVE_FLAG ? mv.arg : s->turn;
        uint16_t winner = (uint16_t)(faulty("resigner-wins") ? loser : 1 - loser);
        finish(s, GP_OUTCOME_WIN, winner, mv.kind == GP_MOVE_FLAG ? GP_REASON_TIME : GP_REASON_RESIGN);
        if (events != NULL) *events = GP_EVENT_WIN;
        return GP_OK;
    }
    if (mv.kind == GP_MOVE_SETUP) {
        if (faulty("setup-uncounted")) s->move_number--;
        s->outcome = s->reason = s->phase = 0;
        s->winner = s->last = GP_NONE;
        static atomic_uint setups;
        unsigned number = atomic_fetch_add(&setups, 1);
        if (mv.to < BOARD && !faulty("setup-ignored")) s->cell[mv.to] = mv.arg;
        if (mv.to == GP_NONE && !faulty("setup-turn")) s->turn = mv.arg;
        if (faulty("setup-forgotten")) s->captures[0] += number;
        happened = GP_EVENT_PLACE;
    } else if (mv.kind == GP_MOVE_TIMEOUT) {
        s->phase = 0;
        s->turn = 1 - s->turn;
        happened = GP_EVENT_PHASE;
    } else if (mv.kind == GP_MOVE_TAP) {
        s->up[mv.to - BOARD] = 1;
        s->phase = 1;
        s->last = mv.to;
        happened = GP_EVENT_FLIP | GP_EVENT_PHASE;
    } else {
        if (mv.kind == GP_MOVE_STEP) {
            happened = GP_EVENT_STEP;
            if (s->cell[mv.to] != 0) {
                s->captures[s->turn]++;
                happened |= GP_EVENT_CAPTURE;
            }
            s->cell[mv.to] = s->cell[mv.from];
            s->cell[mv.from] = 0;
            s->last = mv.to;
            if (mv.to / SIDE == (s->turn == 0 ? 0 : SIDE - 1)) {
                finish(s, GP_OUTCOME_WIN, s->turn, GP_REASON_LINE);
                happened |= GP_EVENT_WIN;
            }
        } else {
            happened = GP_EVENT_PASS;
        }
        s->turn = 1 - s->turn;
    }
    GpMove list[MAX_MOVES];
    if (s->outcome == GP_OUTCOME_RUNNING && s->move_number >= s->limit) {
        finish(s, GP_OUTCOME_DRAW, GP_NONE, faulty("no-reason") ? 0 : GP_REASON_MOVE_LIMIT);
        happened |= GP_EVENT_END;
    } else if (s->outcome == GP_OUTCOME_RUNNING && s->phase == 0 && all_moves(s, list) == 0 && !faulty("stuck")) {
        finish(s, GP_OUTCOME_WIN, 1 - s->turn, GP_REASON_NO_MOVES);
        happened |= GP_EVENT_WIN;
    }
    static atomic_uint total;
    if (faulty("global-state") && atomic_fetch_add(&total, 1) % 16 == 15) s->captures[0]++;
    if (events != NULL) *events = happened;
    return GP_OK;
}

static const State *real(const void *state) {
    const State *s = state;
    return s->shared != NULL ? s->shared : s;
}

/* ---- Options ------------------------------------------------------------------------ */

typedef enum { NOTHING, INTEGER, BOOLEAN, STRING, OTHER } Kind;

/* Reads one `key = value` from a line; 0 if it is no such thing. */
static int read_line(const char *line, char *key, Kind *kind, long long *number, char *text) {
    int at = 0;
    *kind = NOTHING;
    while (*line == ' ') line++;
    if (*line == 0 || *line == '#') return 1;
    if (sscanf(line, "%63[A-Za-z0-9_-]%n", key, &at) != 1) return 0;
    line += at;
    at = 0;
    (void)sscanf(line, " = %n", &at);
    if (at == 0 || line[at] == 0) return 0;
    line += at;
    at = 0;
    if (*line == '"' || *line == '\'') {
        char quote = *line++;
        const char *end = strchr(line, quote);
        if (end == NULL || end - line > 62) return 0;
        memcpy(text, line, (size_t)(end - line));
        text[end - line] = 0;
        *kind = STRING;
        line = end + 1;
    } else if (strncmp(line, "true", 4) == 0 || strncmp(line, "false", 5) == 0) {
        *number = line[0] == 't';
        *kind = BOOLEAN;
        line += line[0] == 't' ? 4 : 5;
    } else if (sscanf(line, "%lld%n", number, &at) == 1 && line[at] != '.') {
        *kind = INTEGER;
        line += at;
    } else {
        *kind = OTHER;
        return 1;
    }
    while (*line == ' ') line++;
    return *line == 0;
}

static int32_t read_options(State *s, GpStr options, int zh, GpText *err) {
    char text[64], key[64], why[256];
    const char *rest = (const char *)options.ptr, *end = rest + options.len;
    s->limit = 40;
    s->bonus = 1;
    int cards = 1;
    while (rest < end) {
        char line[512];
        size_t len = 0;
        Kind kind;
        long long number = 0;
        while (rest < end && *rest != '\n') {
            if (len + 1 >= sizeof line || *rest == 0) return fail(GP_E_PARSE, err, zh ? "选项不是 TOML" : "the options are not TOML");
            line[len++] = *rest++;
        }
        rest++;
        line[len] = 0;
        if (!read_line(line, key, &kind, &number, text) && !faulty("any-toml")) return fail(GP_E_PARSE, err, zh ? "选项不是 TOML" : "the options are not TOML");
        if (kind == NOTHING) continue;
        int good = 1;
        if (strcmp(key, "limit") == 0) {
            good = kind == INTEGER && number >= 10 && number <= (faulty("max-refused") ? 50 : 60) && number % 10 == 0 && !(faulty("preset-refused") && number == 30);
            s->limit = (uint32_t)number;
        } else if (strcmp(key, "bonus") == 0) {
            good = (kind == INTEGER && number >= 0 && number <= 10) || (faulty("wrong-type-taken") && kind == STRING);
            s->bonus = (uint32_t)number;
        } else if (strcmp(key, "pass") == 0) {
            good = kind == BOOLEAN;
            s->pass = number != 0;
        } else if (strcmp(key, "cards") == 0) {
            good = kind == STRING && (strcmp(text, "two") == 0 || strcmp(text, "none") == 0);
            cards = strcmp(text, "none") != 0;
        } else if (faulty("unknown-refused")) {
            good = 0;
        }
        if (!good) {
            snprintf(why, sizeof why, zh ? "%s：不能取这个值" : "%s: cannot take this value", faulty("key-unnamed") ? "?" : key);
            return fail(GP_E_OPTION, err, why);
        }
    }
    if (!cards) s->face[0] = s->face[1] = 0;
    return GP_OK;
}

static int32_t create(GpStr options, uint64_t seed, GpStr lang, GpState *out, GpText *err) {
    if (out == NULL) return GP_E_ARGUMENT;
    *out = NULL;
    if (is_bad(options) || is_bad(lang)) return GP_E_ARGUMENT;
    if (faulty("long-options-crash") && options.len > 1000) abort();
    State *s = calloc(1, sizeof *s);
    if (s == NULL) return GP_E_RESOURCE;
    for (int i = 0; i < SIDE; i++) {
        s->cell[i] = 2;
        s->cell[BOARD - 1 - i] = 1;
    }
    uint64_t mixed = seed * UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < CARDS; i++) s->face[i] = (uint16_t)(3 + (mixed >> (60 + i) & 1));
    s->last = s->winner = GP_NONE;
    int32_t code = read_options(s, options, is_zh(lang), err);
    if (code != GP_OK) {
        free(s);
        return code;
    }
    *out = s;
    return GP_OK;
}

static int32_t clone(const void *state, GpState *out) {
    if (out == NULL) return GP_E_ARGUMENT;
    *out = NULL;
    if (state == NULL) return GP_E_ARGUMENT;
    State *copy = malloc(sizeof *copy);
    if (copy == NULL) return GP_E_RESOURCE;
    *copy = *real(state);
    if (faulty("clone-shares") || faulty("clone-borrows")) copy->shared = (State *)(uintptr_t)real(state);
    if (faulty("clone-forgets")) copy->last = GP_NONE;
    *out = copy;
    return GP_OK;
}

static void destroy(GpState state) {
    /* Under the fault "clone-shares" others may still look at it. */
    if (!faulty("clone-shares")) free(state);
}

/* ---- What is shown --------------------------------------------------------------------- */

static int32_t describe(GpStr lang, GpText *out) {
    int zh;
    if (is_bad(lang)) return GP_E_ARGUMENT;
    zh = is_zh(lang);
    if (faulty("describe-slow")) {
        struct timespec begin, now;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        do clock_gettime(CLOCK_MONOTONIC, &now);
        while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 20);
    }
    return putf(
        out,
        "id = \"faulty\"\nversion = \"1\"\nname = \"%s\"\nsummary = \"%s\"\nhelp = \"%s\"\n"
        "resign = true\nhidden = %s\nladder = %d\n"
        "[[sides]]\nname = \"%s\"\ncolour = \"white\"\n[[sides]]\nname = \"%s\"\ncolour = \"black\"\n"
        "[[options]]\nkey = \"limit\"\nname = \"%s\"\ntype = \"int\"\ndefault = 40\nmin = 10\nmax = 60\nstep = 10\n"
        "[[options]]\nkey = \"bonus\"\nname = \"%s\"\ntype = \"half\"\ndefault = 1\nmin = 0\nmax = 10\n"
        "[[options]]\nkey = \"pass\"\nname = \"%s\"\ntype = \"bool\"\ndefault = false\n"
        "[[options]]\nkey = \"cards\"\nname = \"%s\"\ntype = \"choice\"\ndefault = \"two\"\n"
        "choices = [{ value = \"two\", name = \"2\" }, { value = \"none\", name = \"0\" }]\n"
        "[[presets]]\nid = \"short\"\nname = \"20\"\n[presets.options]\nlimit = 30\n"
        "[[pieces]]\nshape = \"disc\"\ncolour = \"white\"\nname = \"%s\"\n"
        "[[pieces]]\nshape = \"disc\"\ncolour = \"black\"\nname = \"%s\"\n"
        "[[pieces]]\nshape = \"card\"\nglyph = \"S\"\ncolour = \"red\"\nname = \"%s\"\n"
        "[[pieces]]\nshape = \"card\"\nglyph = \"M\"\ncolour = \"blue\"\nname = \"%s\"\n"
        "[[overlays]]\nid = \"mobility\"\nname = \"%s\"\nkind = \"heat\"\n"
        "[[formats]]\nid = \"txt\"\nname = \"TXT\"\nextensions = [\"txt\"]\nread = true\nwrite = false\n"
        "[[levels]]\nname = \"1\"\n[[levels]]\nname = \"2\"\n",
        faulty("zh-missing") && zh ? "" : zh ? "兵与牌" : "Pawns and cards",
        faulty("zh-is-en") ? "on three by three" : zh ? "三乘三棋盘" : "on three by three", zh ? "走到对面即胜。" : "Reach the far row.",
        faulty("hidden-untold") || faulty("open-differs") ? "false" : "true", LADDER, zh ? "白方" : "White", zh ? "黑方" : "Black", zh ? "步数上限" : "Move limit",
        zh ? "贴分" : "Bonus", zh ? "可以停一手" : "Passing", zh ? "牌" : "Cards", zh ? "白兵" : "white pawn", zh ? "黑兵" : "black pawn",
        zh ? "太阳" : "sun", zh ? "月亮" : "moon", zh ? "走法数" : "Mobility");
}

static int32_t layout(const void *state, GpStr lang, GpText *out) {
    if (state == NULL || is_bad(lang)) return GP_E_ARGUMENT;
    int zh = is_zh(lang);
    const State *s = real(state);
    return putf(
        out,
        "[[areas]]\nid = \"board\"\nname = \"%s\"\ncols = 3\nrows = 3\ncolumns = [\"a\", \"b\", \"c\"]\n"
        "row_names = [\"3\", \"2\", \"1\"]\nlines = [[-0.5, 0.5, 2.5, 0.5]]\nturnable = %s\n"
        "[[areas]]\nid = \"cards\"\nname = \"%s\"\ncols = 2\nrows = 1\nsurface = \"tray\"\nnames = [\"%s\", \"%s\"]\n",
        zh ? "棋盘" : "Board", (faulty("layout-differs") && zh) || (faulty("layout-changes") && s->move_number > 0) ? "true" : "false",
        zh ? "牌" : "Cards", zh ? "左牌" : "left card", faulty("cell-unnamed") ? "" : zh ? "右牌" : "right card");
}

static int32_t view(const void *state, uint16_t viewer, uint16_t selected, GpCell *out, uint64_t cap, uint64_t *need) {
    if (state == NULL || need == NULL) return GP_E_ARGUMENT;
    const State *s = real(state);
    GpMove list[MAX_MOVES];
    size_t n = all_moves(s, list);
    if (faulty("viewer-crashes") && viewer > 1 && viewer != GP_VIEWER_PUBLIC) abort();
    *need = CELLS;
    if (cap < CELLS) {
        if (faulty("array-overrun") && cap > 0) memset(out, 0, CELLS * sizeof *out);
        return GP_E_BUFFER;
    }
    if (out == NULL) return GP_E_ARGUMENT;
    memset(out, 0, CELLS * sizeof *out);
    for (int i = 0; i < CELLS; i++) {
        int card = i - BOARD;
        if (card < 0) {
            out[i].piece = s->cell[i];
        } else if (!has_card(s, card)) {
            out[i].flags |= GP_CELL_VOID;
        } else if (s->up[card]) {
            out[i].piece = s->face[card];
        } else {
            out[i].flags |= GP_CELL_FACE_DOWN;
            if (faulty("face-shown")) out[i].piece = s->face[card];
            if (faulty("face-numbered")) out[i].number = s->face[card];
        }
        if ((faulty("public-sees-more") || faulty("open-differs")) && viewer != GP_VIEWER_PUBLIC && out[i].piece == 2) out[i].piece = 1;
        if (s->last == i) out[i].flags |= GP_CELL_LAST;
        if (selected == i) out[i].flags |= GP_CELL_SELECTED;
    }
    for (size_t i = 0; i < n; i++)
        if (selected < CELLS && list[i].from == selected && !faulty("targets-unmarked")) out[list[i].to].flags |= GP_CELL_TARGET;
    return GP_OK;
}

static uint64_t key(const State *s) {
    uint64_t hash = UINT64_C(14695981039346656037);
    const uint16_t *words = (const uint16_t *)s;
    for (size_t i = 0; i < offsetof(State, outcome) / 2; i++) hash = (hash ^ words[i]) * UINT64_C(1099511628211);
    return faulty("key-of-address") ? (uint64_t)(uintptr_t)s : hash;
}

static int32_t status(const void *state, GpStatus *out) {
    if (state == NULL || out == NULL || out->size < 4) return GP_E_ARGUMENT;
    const State *s = real(state);
    GpStatus full;
    memset(&full, 0, sizeof full);
    full.size = out->size;
    full.phase = s->phase;
    full.flags = GP_STATUS_CAPTURES | GP_STATUS_SCORE;
    if (s->phase == 1) full.flags |= GP_STATUS_REDEAL_IF_HIDDEN;
    if (s->pass && s->phase == 0 && s->outcome == GP_OUTCOME_RUNNING && !faulty("pass-untold")) full.flags |= GP_STATUS_CAN_PASS;
    full.outcome = s->outcome;
    full.reason = s->reason;
    int nobody = s->phase == 1 || s->outcome != GP_OUTCOME_RUNNING;
    full.to_move = nobody ? GP_NONE : s->turn;
    full.winner = s->winner;
    full.timeout_ms = s->phase == 1 ? 500 : 0;
    full.captures[0] = (int32_t)s->captures[0];
    full.captures[1] = (int32_t)s->captures[1];
    full.score[0] = (int32_t)(2 * s->captures[0]);
    full.score[1] = (int32_t)(2 * s->captures[1] + s->bonus);
    full.move_number = s->move_number;
    full.key = key(s);
    size_t len = out->size < sizeof full && !faulty("struct-overrun") ? out->size : sizeof full;
    memcpy(out, &full, len);
    return GP_OK;
}

static int32_t status_text(const void *state, uint16_t viewer, GpStr lang, GpText *out) {
    if (state == NULL || is_bad(lang)) return GP_E_ARGUMENT;
    const State *s = real(state);
    int zh = is_zh(lang);
    (void)viewer;
    if (faulty("panics-at-3") && s->move_number == 3) return GP_E_PANIC;
    if (faulty("end-untold") && s->outcome != GP_OUTCOME_RUNNING) return put(out, "");
    if (s->outcome == GP_OUTCOME_DRAW) return put(out, zh ? "和棋" : "A draw");
    if (s->outcome != GP_OUTCOME_RUNNING) return put(out, zh ? (s->winner ? "黑方胜" : "白方胜") : s->winner ? "Black wins" : "White wins");
    if (faulty("status-leaks") && s->face[0] == 3) return put(out, zh ? "轮到你，左牌是太阳" : "Your turn, the left card is the sun");
    return put(out, zh ? (s->turn ? "轮到黑方" : "轮到白方") : s->turn ? "Black to move" : "White to move");
}

static int32_t tally(const void *state, uint16_t viewer, GpStr lang, GpText *out) {
    if (state == NULL || is_bad(lang)) return GP_E_ARGUMENT;
    int zh = is_zh(lang);
    (void)viewer;
    const State *s = real(state);
    return putf(
        out, "title = \"%s\"\ncolumns = [\"%s\", \"%s\"]\n[[rows]]\nname = \"%s\"\nvalues = [%s\"%d\"]\n%s", zh ? "计分" : "Account", zh ? "白方" : "White",
        zh ? "黑方" : "Black", zh ? "步数" : "Moves", faulty("tally-columns") ? "" : "\"\", ",
        (int)(s->move_number + (faulty("tally-leaks") ? s->face[0] : 0)),
        faulty("tally-rows") && zh ? "[[rows]]\nname = \"合计\"\nvalues = [\"\", \"\"]\ntotal = true\n" : "");
}

static int32_t moves(const void *state, uint16_t from, GpMove *out, uint64_t cap, uint64_t *need) {
    if (state == NULL || need == NULL) return GP_E_ARGUMENT;
    GpMove list[MAX_MOVES];
    size_t n = all_moves(real(state), list), kept = 0;
    if (faulty("reader-writes")) {
        State *s = (State *)(uintptr_t)real(state);
        struct timespec moment = {0, 2000000};
        s->turn = 1 - s->turn;
        nanosleep(&moment, NULL);
        s->turn = 1 - s->turn;
    }
    for (size_t i = 0; i < n; i++)
        if (from == GP_NONE || list[i].from == from || faulty("from-ignored")) list[kept++] = list[i];
    *need = kept;
    if (kept > cap) return GP_E_BUFFER;
    if (kept > 0 && out == NULL) return GP_E_ARGUMENT;
    if (kept > 0) memcpy(out, list, kept * sizeof *out);
    return GP_OK;
}

static int32_t explain(const void *state, GpMove mv, GpStr lang, GpText *out) {
    if (state == NULL || is_bad(lang)) return GP_E_ARGUMENT;
    int legal = is_legal(real(state), mv);
    if (faulty("explains-legal") && mv.kind == GP_MOVE_TAP) legal = 0;
    if (faulty("unexplained") && is_zh(lang)) legal = 1;
    if (faulty("setup-unexplained") && mv.kind == GP_MOVE_SETUP) legal = 1;
    return put(out, legal ? "" : is_zh(lang) ? "不能这样走" : "not possible");
}

/* ---- Moves as text ------------------------------------------------------------------------ */

static int32_t move_text(const void *state, GpMove mv, GpText *out) {
    if (state == NULL) return GP_E_ARGUMENT;
    if (faulty("text-ambiguous") && mv.kind == GP_MOVE_STEP) mv.from = 7;
    switch (mv.kind) {
    case GP_MOVE_STEP: return putf(out, "%u-%u", mv.from, mv.to);
    case GP_MOVE_TAP: return putf(out, "tap %u", mv.to);
    case GP_MOVE_PASS: return put(out, "pass");
    case GP_MOVE_RESIGN: return put(out, faulty("resign-unwritten") ? "pass" : "resign");
    case GP_MOVE_TIMEOUT: return putf(out, "timeout %u", mv.arg);
    case GP_MOVE_FLAG: return putf(out, "flag %u", mv.arg);
    case GP_MOVE_SETUP:
        if (mv.to == GP_NONE) return putf(out, "turn %u", mv.arg);
        return putf(out, "set %u %u", faulty("setup-text") ? 0 : mv.arg, mv.to);
    default: return putf(out, "? %u %u %u %u", mv.kind, mv.from, mv.to, mv.arg);
    }
}

static int32_t parse_move(const void *state, GpStr text, GpMove *out, GpText *err) {
    if (state == NULL || out == NULL || is_bad(text)) return GP_E_ARGUMENT;
    char line[32];
    unsigned a = 0, b = 0;
    int end = 0;
    size_t len = text.len;
    if (len >= sizeof line) {
        if (!faulty("long-text-crashes")) return fail(GP_E_PARSE, err, "第 1 列：文字太长 / too long");
        for (volatile char *p = NULL; len > 0; len--) p[len] = 0;
    }
    if (len > 0) memcpy(line, text.ptr, len);
    line[len] = 0;
    if (strlen(line) != len) return fail(GP_E_PARSE, err, "第 1 列：不是走法 / no move");
    if (sscanf(line, "%2u-%2u%n", &a, &b, &end) == 2 && (size_t)end == len && a < CELLS && b < CELLS)
        *out = move(GP_MOVE_STEP, (uint16_t)a, (uint16_t)b, 0);
    else if (sscanf(line, "tap %3u%n", &a, &end) == 1 && (size_t)end == len && (a < CELLS || faulty("parses-off-board")))
        *out = move(GP_MOVE_TAP, GP_NONE, (uint16_t)a, 0);
    else if (sscanf(line, "timeout %2u%n", &a, &end) == 1 && (size_t)end == len)
        *out = move(GP_MOVE_TIMEOUT, GP_NONE, GP_NONE, (uint16_t)a);
    else if (sscanf(line, "flag %2u%n", &a, &end) == 1 && (size_t)end == len)
        *out = move(GP_MOVE_FLAG, GP_NONE, GP_NONE, (uint16_t)a);
    else if (sscanf(line, "turn %2u%n", &a, &end) == 1 && (size_t)end == len)
        *out = move(GP_MOVE_SETUP, GP_NONE, GP_NONE, (uint16_t)a);
    else if (sscanf(line, "set %2u %3u%n", &a, &b, &end) == 2 && (size_t)end == len && b < CELLS)
        *out = move(GP_MOVE_SETUP, GP_NONE, (uint16_t)b, (uint16_t)a);
    else if (strcmp(line, "pass") == 0)
        *out = move(GP_MOVE_PASS, GP_NONE, GP_NONE, 0);
    else if (strcmp(line, "resign") == 0)
        *out = move(GP_MOVE_RESIGN, GP_NONE, GP_NONE, 0);
    else
        return fail(GP_E_PARSE, err, "第 1 列：不是走法 / no move");
    return GP_OK;
}

static int32_t move_label(const void *state, GpMove mv, GpStr lang, GpText *out) {
    if (state == NULL || is_bad(lang)) return GP_E_ARGUMENT;
    if (faulty("label-missing") && is_zh(lang)) return put(out, "");
    if (mv.kind == GP_MOVE_TAP && mv.to >= BOARD && mv.to < CELLS && faulty("label-leaks")) return putf(out, "turn %u", real(state)->face[mv.to - BOARD]);
    if (mv.kind == GP_MOVE_TAP) return put(out, is_zh(lang) ? "翻牌" : "turn a card");
    return move_text(state, mv, out);
}

static int32_t read_record(GpStr format, GpStr bytes, GpText *out, GpText *err) {
    if (is_bad(format) || (bytes.ptr == NULL && bytes.len > 0)) return GP_E_ARGUMENT;
    if (out == NULL) return GP_E_ARGUMENT;
    out->len = 0;
    if (format.len != 3 || memcmp(format.ptr, "txt", 3) != 0) return GP_E_UNSUPPORTED;
    if (faulty("record-panics") && bytes.len > 100) return GP_E_PANIC;
    return fail(GP_E_PARSE, err, "line 1, column 1: no record");
}

/* ---- Overlay and ladder ----------------------------------------------------------------------- */

static int32_t overlay(const void *state, uint32_t index, uint16_t viewer, int32_t *out, uint64_t cap, uint64_t *need) {
    (void)viewer;
    if (state == NULL || need == NULL) return GP_E_ARGUMENT;
    if (faulty("overlay-hangs") && index == 0)
        for (atomic_int forever = 1; forever;) {}
    if (index != 0 && !faulty("overlay-beyond")) return GP_E_UNSUPPORTED;
    const State *s = real(state);
    GpMove list[MAX_MOVES];
    size_t n = pawn_moves(s, list);
    uint64_t cells = faulty("overlay-short") ? BOARD : CELLS;
    *need = cells;
    if (cap < cells) return GP_E_BUFFER;
    if (out == NULL) return GP_E_ARGUMENT;
    for (uint64_t i = 0; i < cells; i++) out[i] = GP_OVERLAY_NONE;
    for (size_t i = 0; i < n; i++) out[list[i].from] = 100;
    if (faulty("overlay-leaks")) out[BOARD] = s->face[0];
    if (faulty("overlay-range")) out[0] = 1001;
    return GP_OK;
}

static int32_t level(uint32_t index, GpStr lang, GpText *out) {
    if (is_bad(lang)) return GP_E_ARGUMENT;
    if (index >= LADDER && !faulty("ladder-endless")) return GP_E_UNSUPPORTED;
    return putf(out, "name = \"%u\"\nplayer = 0\nopponent = %u\n[options]\nlimit = %u\n", index + 1,
                faulty("opponent-unknown") ? LEVELS : index % LEVELS, faulty("level-option") ? 7 : 10 * (index % 3 + 1));
}

static int32_t level_result(const void *state, uint32_t index, uint16_t player, GpLevelResult *out) {
    if (state == NULL || out == NULL || out->size < 4) return GP_E_ARGUMENT;
    const State *s = real(state);
    if (index >= LADDER || player > 1) return GP_E_ARGUMENT;
    if (s->outcome == GP_OUTCOME_RUNNING && !faulty("result-early")) return GP_E_ARGUMENT;
    int won = s->outcome == GP_OUTCOME_WIN && s->winner == player;
    GpLevelResult full = {out->size, (uint32_t)won, won ? 3 : 0, won ? 100 : 0};
    if (faulty("too-many-stars")) full.stars = 4;
    memcpy(out, &full, out->size < sizeof full ? out->size : sizeof full);
    return GP_OK;
}

/* ---- The opponent --------------------------------------------------------------------------------- */

typedef struct Job {
    GpMove list[MAX_MOVES];
    size_t count, best;
    GpAiParams params;
    uint64_t nodes;
    const State *borrowed; /* under the fault "ai-borrows" */
    struct timespec begin;
    atomic_int cancelled;
    int32_t win;
} Job;

static int32_t ai_start(const void *state, const GpAiParams *params, GpJob *out, GpText *err) {
    if (out == NULL) return GP_E_ARGUMENT;
    *out = NULL;
    if (state == NULL || params == NULL) return GP_E_ARGUMENT;
    const State *s = real(state);
    Job *job = calloc(1, sizeof *job);
    if (job == NULL) return GP_E_RESOURCE;
    memcpy(&job->params, params, params->size < sizeof job->params ? params->size : sizeof job->params);
    int bad_level = job->params.level >= LEVELS && !faulty("ai-any-level");
    if (bad_level || s->outcome != GP_OUTCOME_RUNNING || s->phase == 1 || job->params.player != s->turn) {
        free(job);
        return fail(GP_E_ARGUMENT, err, "no such level, or not to move");
    }
    job->count = all_moves(s, job->list);
    job->win = 500;
    if (faulty("ai-borrows")) job->borrowed = s;
    clock_gettime(CLOCK_MONOTONIC, &job->begin);
    uint64_t mixed = (job->params.seed + 1 + job->params.level) * UINT64_C(0x9E3779B97F4A7C15);
    static atomic_uint searches;
    if (faulty("ai-forgets-seed")) mixed += (uint64_t)atomic_fetch_add(&searches, 1) << 40;
    if (faulty("ai-process")) mixed += (uint64_t)getpid() << 40;
    if (faulty("ai-peeks")) mixed += (uint64_t)s->face[0] << 40;
    job->best = (size_t)(mixed >> 40) % job->count;
    if (faulty("ai-peeks-odds")) job->win = 500 + s->face[1];
    *out = job;
    return GP_OK;
}

static uint64_t elapsed_ms(const Job *job) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)((now.tv_sec - job->begin.tv_sec) * 1000 + (now.tv_nsec - job->begin.tv_nsec) / 1000000);
}

static int32_t ai_step(GpJob handle, uint32_t budget_ms, GpAiReport *out) {
    Job *job = handle;
    if (faulty("ai-null-crashes") && job == NULL) abort();
    if (job == NULL || out == NULL || out->size < sizeof *out) return GP_E_ARGUMENT;
    const GpAiParams *params = &job->params;
    int endless = (params->flags & GP_AI_INFINITE) != 0;
    uint64_t limit = params->node_limit > 0 ? params->node_limit : 100, stop = elapsed_ms(job) + budget_ms;
    if (faulty("ai-over-nodes")) limit += 10;
    int32_t code = GP_MORE;
    while (code == GP_MORE) {
        int cancelled = atomic_load(&job->cancelled) && !faulty("ai-ignores-cancel");
        uint64_t ms = elapsed_ms(job);
        int late = params->time_ms > 0 && ms >= params->time_ms + (faulty("ai-late") ? 300 : 0);
        if (cancelled || late || (!endless && job->nodes >= limit)) code = GP_OK;
        else if (ms >= stop) break;
        else job->nodes++;
    }
    if (faulty("ai-cancel-crashes") && atomic_load(&job->cancelled)) abort();
    GpMove best = job->list[job->best];
    if (faulty("ai-illegal")) best.arg = 9;
    if (faulty("ai-no-move") && params->level == 1) best.kind = 0;
    if (faulty("ai-resigns-hint") && params->flags & GP_AI_HINT) best = move(GP_MOVE_RESIGN, GP_NONE, GP_NONE, 0);
    if (faulty("ai-bad-threads") && params->threads > 1) best.to = 0;
    if (job->borrowed != NULL) best = job->borrowed->turn == params->player ? best : job->list[(job->best + 1) % job->count];
    out->best = best;
    out->nodes = job->nodes;
    out->win_permille = job->win;
    out->depth = 1;
    out->line_len = 0;
    out->candidates_len = 0;
    out->heat_len = 0;
    if (out->line_cap > 0) {
        out->line[0] = faulty("ai-line") ? job->list[(job->best + 1) % job->count] : best;
        out->line_len = 1;
    }
    uint32_t room = params->candidates < out->candidates_cap || faulty("report-overrun") ? params->candidates : out->candidates_cap;
    for (; out->candidates_len < room && out->candidates_len < job->count; out->candidates_len++) {
        GpCandidate candidate = {job->list[out->candidates_len], 500, 1};
        if (faulty("ai-candidates")) candidate.mv.to = 0;
        if (out->candidates != NULL) out->candidates[out->candidates_len] = candidate;
    }
    return code;
}

static void ai_cancel(const void *job) {
    if (job != NULL) atomic_store(&((Job *)(uintptr_t)job)->cancelled, 1);
}

static void ai_free(GpJob handle) {
    Job *job = handle;
    if (job == NULL) return;
    if (faulty("ai-unused-crashes") && job->nodes == 0 && !job->cancelled) abort();
    free(job);
}

/* ---- The table ---------------------------------------------------------------------------------------- */

static int32_t null_crashes(const void *state, GpStatus *out) { return out->size > 0 ? status(state, out) : GP_E_ARGUMENT; }

static GamePlugin table;
static GamePluginEntry entry;

static const GamePlugin *plugin(uint32_t index) { return index == 0 ? &table : NULL; }

QIJU_EXPORT const GamePluginEntry *game_plugin_entry(void) {
    GamePlugin game = {
        .size = sizeof game,
        .describe = describe,
        .create = create,
        .clone = clone,
        .destroy = destroy,
        .layout = layout,
        .view = view,
        .status = faulty("null-crashes") ? null_crashes : status,
        .status_text = status_text,
        .moves = moves,
        .apply = apply,
        .explain = explain,
        .move_text = move_text,
        .parse_move = parse_move,
        .move_label = move_label,
        .read_record = read_record,
        .ai_start = ai_start,
        .ai_step = ai_step,
        .ai_cancel = ai_cancel,
        .ai_free = ai_free,
        .overlay = overlay,
        .level = level,
        .level_result = level_result,
        .tally = tally,
    };
    GamePluginEntry mine = {sizeof mine, GP_MAGIC, GP_ABI_MAJOR, GP_ABI_MINOR, 1, 0, plugin};
    table = game;
    entry = mine;
    return &entry;
}
