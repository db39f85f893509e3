/*
 * Hexapawn 六兵棋: a whole game for Qiju in plain C11, with nothing but
 * game_plugin.h and the C library. It is the template for a game in C, or in any
 * language that can export C functions.
 *
 * The game is Martin Gardner's (Scientific American, March 1962): pawns of chess
 * on a small board, each side's along its own edge.
 *
 * In this file, from top to bottom: the rules; the words; texts across the
 * border; the functions of the vtable, in the order of the header; the search;
 * the vtable itself. There are no globals but constants: a state is all that a
 * game is.
 *
 * Licence: MIT OR Apache-2.0.
 */
#include "game_plugin.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Rules ---------------------------------------------------------------- */

enum { MIN_SIDE = 3, MAX_SIDE = 4, MAX_CELLS = MAX_SIDE * MAX_SIDE, MAX_MOVES = 3 * MAX_SIDE };

/* Reason of the game's own: a pawn stands on the far edge. */
#define REASON_REACHED UINT16_C(1000)

/* One state. Player 0 begins at the bottom edge and moves up, player 1 comes down. */
typedef struct State {
    int side;
    /* 0: empty, otherwise 1 + the player whose pawn it is. */
    uint8_t cell[MAX_CELLS];
    uint16_t turn;
    uint16_t outcome, reason, winner;
    uint16_t last_from, last_to;
    int32_t captures[2];
    uint32_t move_number;
} State;

/* Why a move is illegal. */
typedef enum Refusal { LEGAL, UNKNOWN, OVER, OFF_BOARD, NOT_YOURS, TOO_FAR, BLOCKED, NOTHING_TO_TAKE } Refusal;

static int cells(const State *s) { return s->side * s->side; }

static Refusal refuse_step(const State *s, GpMove mv) {
    if (mv.from >= cells(s) || mv.to >= cells(s)) return OFF_BOARD;
    if (s->cell[mv.from] != 1 + s->turn) return NOT_YOURS;
    int down = mv.to / s->side - mv.from / s->side;
    int across = mv.to % s->side - mv.from % s->side;
    if (down != (s->turn == 0 ? -1 : 1) || across < -1 || across > 1) return TOO_FAR;
    if (across == 0) return s->cell[mv.to] == 0 ? LEGAL : BLOCKED;
    return s->cell[mv.to] == 2 - s->turn ? LEGAL : NOTHING_TO_TAKE;
}

/* A move is legal in one form only: fields that it does not use stand for "none". */
static Refusal refuse(const State *s, GpMove mv) {
    bool step = mv.kind == GP_MOVE_STEP && mv.arg == 0;
    bool nowhere = mv.from == GP_NONE && mv.to == GP_NONE;
    bool resign = mv.kind == GP_MOVE_RESIGN && nowhere && mv.arg == 0;
    bool flag = mv.kind == GP_MOVE_FLAG && nowhere && mv.arg < 2;
    if (!step && !resign && !flag) return UNKNOWN;
    if (s->outcome != GP_OUTCOME_RUNNING) return OVER;
    return step ? refuse_step(s, mv) : LEGAL;
}

/* All legal steps, ordered by (from, to). */
static int list_moves(const State *s, GpMove out[MAX_MOVES]) {
    int count = 0;
    if (s->outcome != GP_OUTCOME_RUNNING) return 0;
    for (int from = 0; from < cells(s); from++) {
        if (s->cell[from] != 1 + s->turn) continue;
        int ahead = from + (s->turn == 0 ? -s->side : s->side);
        for (int to = ahead - 1; to <= ahead + 1; to++) {
            if (to < 0) continue;
            GpMove mv = {GP_MOVE_STEP, (uint16_t)from, (uint16_t)to, 0};
            if (refuse_step(s, mv) == LEGAL) out[count++] = mv;
        }
    }
    return count;
}

static void end_game(State *s, int winner, uint16_t reason) {
    s->outcome = GP_OUTCOME_WIN;
    s->winner = (uint16_t)winner;
    s->reason = reason;
}

/* Plays a legal move and gives its events. */
static uint32_t play(State *s, GpMove mv) {
    uint32_t events = GP_EVENT_STEP;
    s->move_number++;
    if (mv.kind != GP_MOVE_STEP) {
        int loser = mv.kind == GP_MOVE_FLAG ? mv.arg : s->turn;
        end_game(s, 1 - loser, mv.kind == GP_MOVE_FLAG ? GP_REASON_TIME : GP_REASON_RESIGN);
        return GP_EVENT_WIN;
    }
    int player = s->turn;
    if (s->cell[mv.to] != 0) {
        s->captures[player]++;
        events |= GP_EVENT_CAPTURE;
    }
    s->cell[mv.to] = s->cell[mv.from];
    s->cell[mv.from] = 0;
    s->last_from = mv.from;
    s->last_to = mv.to;
    s->turn = (uint16_t)(1 - player);
    GpMove replies[MAX_MOVES];
    if (mv.to / s->side == (player == 0 ? 0 : s->side - 1)) {
        end_game(s, player, REASON_REACHED);
    } else if (list_moves(s, replies) == 0) {
        end_game(s, player, GP_REASON_NO_MOVES);
    }
    return s->outcome == GP_OUTCOME_RUNNING ? events : events | GP_EVENT_WIN;
}

static void set_up(State *s, int side) {
    memset(s, 0, sizeof *s);
    s->side = side;
    s->winner = s->last_from = s->last_to = GP_NONE;
    for (int column = 0; column < side; column++) {
        s->cell[column] = 2;
        s->cell[cells(s) - 1 - column] = 1;
    }
}

/* Two different states never share a key. */
static uint64_t state_key(const State *s) {
    uint64_t key = (uint64_t)s->side;
    for (int i = 0; i < cells(s); i++) key = key * 3 + s->cell[i];
    /* A resigned game has the board of one that goes on. */
    return (key * 2 + s->turn) * 3 + (s->outcome == GP_OUTCOME_RUNNING ? 0 : 1 + s->winner);
}

/* ---- Words ------------------------------------------------------------------ */

typedef struct Words {
    const char *zh, *en;
} Words;

static const Words REFUSALS[] = {
    [LEGAL] = {"", ""},
    [UNKNOWN] = {"六兵棋没有这种着法", "Hexapawn has no such move"},
    [OVER] = {"棋局已经结束", "The game is over"},
    [OFF_BOARD] = {"棋盘上没有这一格", "There is no such square"},
    [NOT_YOURS] = {"那里没有轮走一方的棋子", "No pawn of the side to move stands there"},
    [TOO_FAR] = {"棋子每步只能向前走一格", "A pawn goes one square forward"},
    [BLOCKED] = {"前面的格子有子，不能直走", "The square ahead is taken"},
    [NOTHING_TO_TAKE] = {"斜走必须吃掉对方的子", "A pawn goes diagonally only to take"},
};

static const Words SIDES[] = {{"红方", "Red"}, {"黑方", "Black"}};

static const char DESCRIBE_ZH[] =
    "id = \"hexapawn\"\n"
    "version = \"1.0.0\"\n"
    "name = \"六兵棋\"\n"
    "summary = \"先冲到底线，或让对方无棋可走\"\n"
    "help = \"\"\"\n"
    "红方先走。棋子向前走一格，前面必须是空格；斜前方有对方的子就可以吃掉它。\n"
    "\n"
    "先走到对方底线的一方获胜；轮到走而无棋可走的一方落败。没有和棋。\"\"\"\n"
    "resign = true\n"
    "[[sides]]\nname = \"红方\"\ncolour = \"red\"\n"
    "[[sides]]\nname = \"黑方\"\ncolour = \"black\"\n"
    "[[options]]\nkey = \"size\"\nname = \"棋盘边长\"\nhelp = \"每边的格数，也是每方的棋子数。\"\n"
    "type = \"int\"\ndefault = 3\nmin = 3\nmax = 4\n"
    "[[pieces]]\nshape = \"coin\"\nglyph = \"兵\"\nlatin = \"P\"\ncolour = \"red\"\nname = \"红兵\"\n"
    "[[pieces]]\nshape = \"coin\"\nglyph = \"卒\"\nlatin = \"P\"\ncolour = \"black\"\nname = \"黑卒\"\n"
    "[[levels]]\nname = \"初学\"\nhelp = \"常常乱走\"\n"
    "[[levels]]\nname = \"普通\"\nhelp = \"偶尔走错\"\n"
    "[[levels]]\nname = \"完美\"\nhelp = \"从不出错\"\n";

static const char DESCRIBE_EN[] =
    "id = \"hexapawn\"\n"
    "version = \"1.0.0\"\n"
    "name = \"Hexapawn\"\n"
    "summary = \"Be the first across, or leave no move\"\n"
    "help = \"\"\"\n"
    "Red begins. A pawn goes one square straight ahead if that is empty, and takes one square diagonally ahead.\n"
    "\n"
    "The first to reach the far edge wins; a side that is to move and cannot loses. There are no draws.\"\"\"\n"
    "resign = true\n"
    "[[sides]]\nname = \"Red\"\ncolour = \"red\"\n"
    "[[sides]]\nname = \"Black\"\ncolour = \"black\"\n"
    "[[options]]\nkey = \"size\"\nname = \"Board size\"\nhelp = \"Squares along a side, and pawns of each player.\"\n"
    "type = \"int\"\ndefault = 3\nmin = 3\nmax = 4\n"
    "[[pieces]]\nshape = \"coin\"\nglyph = \"兵\"\nlatin = \"P\"\ncolour = \"red\"\nname = \"red pawn\"\n"
    "[[pieces]]\nshape = \"coin\"\nglyph = \"卒\"\nlatin = \"P\"\ncolour = \"black\"\nname = \"black pawn\"\n"
    "[[levels]]\nname = \"Beginner\"\nhelp = \"Often plays anything\"\n"
    "[[levels]]\nname = \"Casual\"\nhelp = \"Errs now and then\"\n"
    "[[levels]]\nname = \"Perfect\"\nhelp = \"Never errs\"\n";

/* ---- Texts across the border -------------------------------------------------- */

static bool is_bad_pointer(GpStr text) { return text.ptr == NULL && text.len > 0; }

/* Whether text is UTF-8: no stray byte, no overlong form, no surrogate. */
static bool is_utf8(GpStr text) {
    for (uint64_t i = 0; i < text.len;) {
        uint32_t first = text.ptr[i];
        int more = first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : -1;
        if (more < 0 || text.len - i <= (uint64_t)more) return false;
        uint32_t code = more == 0 ? first : first & (0x3Fu >> more);
        for (int k = 1; k <= more; k++) {
            if ((text.ptr[i + (uint64_t)k] & 0xC0) != 0x80) return false;
            code = code << 6 | (text.ptr[i + (uint64_t)k] & 0x3Fu);
        }
        if ((more == 2 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) ||
            (more == 3 && (code < 0x10000 || code > 0x10FFFF))) {
            return false;
        }
        i += (uint64_t)more + 1;
    }
    return true;
}

static bool is_good(GpStr text) { return !is_bad_pointer(text) && is_utf8(text); }

static bool is_zh(GpStr lang) {
    return lang.len >= 2 && lang.ptr[0] == 'z' && lang.ptr[1] == 'h' &&
           (lang.len == 2 || lang.ptr[2] == '-' || lang.ptr[2] == '_');
}

static const char *pick(Words words, bool zh) { return zh ? words.zh : words.en; }

/* Gives a text as a result, or reports the need. */
static int32_t put(GpText *out, const char *text) {
    if (out == NULL) return GP_E_ARGUMENT;
    out->len = strlen(text);
    if (out->len > out->cap) return GP_E_BUFFER;
    if (out->len > 0 && out->ptr == NULL) return GP_E_ARGUMENT;
    if (out->len > 0) memcpy(out->ptr, text, out->len);
    return GP_OK;
}

/* Gives as much of an error text as fits, cut between characters, and passes the code on. */
static int32_t fail(int32_t code, GpText *err, const char *text) {
    if (err == NULL) return code;
    uint64_t len = strlen(text);
    if (err->ptr == NULL) {
        len = 0;
    } else if (len > err->cap) {
        len = err->cap;
        while (len > 0 && ((uint8_t)text[len] & 0xC0) == 0x80) len--;
    }
    if (len > 0) memcpy(err->ptr, text, len);
    err->len = len;
    return code;
}

/* Writes as much of a struct as the caller, whose version may be another, has room for. Both begin with their size. */
static int32_t put_struct(void *out, const void *ours, uint32_t our_size) {
    uint32_t room;
    memcpy(&room, out, sizeof room);
    if (room < sizeof room) return GP_E_ARGUMENT;
    uint32_t size = room < our_size ? room : our_size;
    memcpy((char *)out + sizeof room, (const char *)ours + sizeof room, size - sizeof room);
    return GP_OK;
}

/* ---- Options ---------------------------------------------------------------------- */

/* A place in a text. */
typedef struct Reader {
    const char *at, *end;
} Reader;

static void skip_blanks(Reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Reads a whole number of few digits, if that is what stands there. */
static bool read_number(Reader value, int *number) {
    enum { MOST_DIGITS = 6 };
    int sign = 1, digits = 0;
    *number = 0;
    if (value.at < value.end && *value.at == '-') {
        sign = -1;
        value.at++;
    }
    for (; value.at < value.end && *value.at >= '0' && *value.at <= '9'; value.at++) {
        if (++digits > MOST_DIGITS) return false;
        *number = *number * 10 + (*value.at - '0');
    }
    *number *= sign;
    return digits > 0 && value.at == value.end;
}

/* Reads one `key = value`; a value of any kind, of which only its extent is looked
 * at. Nothing but a comment may follow. */
static bool read_pair(Reader *r, Reader *key, Reader *value) {
    key->at = r->at;
    while (r->at < r->end && is_word(*r->at)) r->at++;
    key->end = r->at;
    skip_blanks(r);
    if (key->at == key->end || r->at == r->end || *r->at++ != '=') return false;
    skip_blanks(r);
    value->at = r->at;
    if (r->at < r->end && (*r->at == '"' || *r->at == '\'')) {
        char quote = *r->at++;
        while (r->at < r->end && *r->at != quote) r->at += *r->at == '\\' && quote == '"' && r->at + 1 < r->end ? 2 : 1;
        if (r->at++ == r->end) return false;
    } else if (r->at < r->end && *r->at == '[') {
        while (r->at < r->end && *r->at != ']') r->at++;
        if (r->at++ == r->end) return false;
    } else {
        while (r->at < r->end && (is_word(*r->at) || *r->at == '.' || *r->at == '+' || *r->at == ':')) r->at++;
    }
    value->end = r->at;
    skip_blanks(r);
    return value->at < value->end && (r->at == r->end || *r->at == '#');
}

/* Reads the options, which the shell gives as one `key = value` a line. Unknown keys
 * are ignored. */
static int32_t read_options(GpStr options, bool zh, int *side, GpText *err) {
    static const char SIZE[] = "size";
    const char *text = (const char *)options.ptr;
    *side = MIN_SIDE;
    for (uint64_t begin = 0, line = 1; begin < options.len; line++) {
        uint64_t end = begin;
        while (end < options.len && text[end] != '\n') end++;
        Reader r = {text + begin, text + end}, key, value;
        begin = end + 1;
        skip_blanks(&r);
        if (r.at == r.end || *r.at == '#') continue;
        if (!read_pair(&r, &key, &value)) {
            char why[96];
            snprintf(why, sizeof why, zh ? "选项第 %llu 行不是“键 = 值”" : "line %llu of the options is not `key = value`",
                     (unsigned long long)line);
            return fail(GP_E_PARSE, err, why);
        }
        if (key.end - key.at != sizeof SIZE - 1 || memcmp(key.at, SIZE, sizeof SIZE - 1) != 0) continue;
        if (!read_number(value, side) || *side < MIN_SIDE || *side > MAX_SIDE) {
            return fail(GP_E_OPTION, err, zh ? "size：应为 3 或 4" : "size: should be 3 or 4");
        }
    }
    return GP_OK;
}

/* ---- The vtable's functions: a state ------------------------------------------------ */

static int32_t describe(GpStr lang, GpText *out) {
    if (!is_good(lang)) return GP_E_ARGUMENT;
    return put(out, is_zh(lang) ? DESCRIBE_ZH : DESCRIBE_EN);
}

static int32_t create(GpStr options, uint64_t seed, GpStr lang, GpState *out, GpText *err) {
    (void)seed; /* nothing in this game is random */
    if (out == NULL) return GP_E_ARGUMENT;
    *out = NULL;
    if (!is_good(options) || !is_good(lang)) return GP_E_ARGUMENT;
    int side;
    int32_t code = read_options(options, is_zh(lang), &side, err);
    if (code != GP_OK) return code;
    State *s = malloc(sizeof *s);
    if (s == NULL) return GP_E_RESOURCE;
    set_up(s, side);
    *out = s;
    return GP_OK;
}

static int32_t clone(const void *state, GpState *out) {
    if (out == NULL) return GP_E_ARGUMENT;
    *out = NULL;
    if (state == NULL) return GP_E_ARGUMENT;
    State *copy = malloc(sizeof *copy);
    if (copy == NULL) return GP_E_RESOURCE;
    *copy = *(const State *)state;
    *out = copy;
    return GP_OK;
}

static void destroy(GpState state) { free(state); }

static int32_t layout(const void *state, GpStr lang, GpText *out) {
    const State *s = state;
    if (s == NULL || !is_good(lang)) return GP_E_ARGUMENT;
    char text[1024], columns[64] = "", rows[64] = "", lines[512] = "";
    size_t in_columns = 0, in_rows = 0, in_lines = 0;
    for (int i = 0; i < s->side; i++) {
        in_columns += (size_t)snprintf(columns + in_columns, sizeof columns - in_columns, "\"%c\", ", 'A' + i);
        in_rows += (size_t)snprintf(rows + in_rows, sizeof rows - in_rows, "\"%d\", ", s->side - i);
    }
    /* Cell (0, 0) has its centre at the origin, so the lines lie half a unit off. */
    for (int i = 0; i <= s->side; i++) {
        double at = i - 0.5, far_edge = s->side - 0.5;
        in_lines += (size_t)snprintf(lines + in_lines, sizeof lines - in_lines,
                                     "[%.1f, -0.5, %.1f, %.1f], [-0.5, %.1f, %.1f, %.1f], ", at, at, far_edge, at, far_edge, at);
    }
    snprintf(text, sizeof text,
             "[[areas]]\nid = \"board\"\nname = \"%s\"\ncols = %d\nrows = %d\nstyle = \"cells\"\nsurface = \"board\"\n"
             "turnable = true\ncolumns = [%s]\nrow_names = [%s]\nlines = [%s]\n",
             is_zh(lang) ? "棋盘" : "Board", s->side, s->side, columns, rows, lines);
    return put(out, text);
}

/* Nothing is hidden: every viewer sees the same. */
static int32_t view(const void *state, uint16_t viewer, uint16_t selected, GpCell *out, uint64_t cap, uint64_t *need) {
    const State *s = state;
    (void)viewer;
    if (s == NULL || need == NULL) return GP_E_ARGUMENT;
    *need = (uint64_t)cells(s);
    if (*need > cap) return GP_E_BUFFER;
    if (out == NULL) return GP_E_ARGUMENT;
    memset(out, 0, sizeof *out * (size_t)cells(s));
    for (int i = 0; i < cells(s); i++) out[i].piece = s->cell[i];
    if (s->last_to != GP_NONE) {
        out[s->last_to].flags |= GP_CELL_LAST;
        out[s->last_from].flags |= GP_CELL_LAST_FROM;
    }
    if (s->reason == REASON_REACHED) out[s->last_to].flags |= GP_CELL_WINNING;
    if (selected < cells(s)) {
        GpMove moves[MAX_MOVES];
        int count = list_moves(s, moves);
        out[selected].flags |= GP_CELL_SELECTED;
        for (int i = 0; i < count; i++) {
            if (moves[i].from == selected) out[moves[i].to].flags |= GP_CELL_TARGET;
        }
    }
    return GP_OK;
}

static int32_t status(const void *state, GpStatus *out) {
    const State *s = state;
    if (s == NULL || out == NULL) return GP_E_ARGUMENT;
    GpStatus status = {
        .flags = GP_STATUS_CAPTURES,
        .outcome = s->outcome,
        .reason = s->reason,
        .to_move = s->outcome == GP_OUTCOME_RUNNING ? s->turn : GP_NONE,
        .winner = s->winner,
        .captures = {s->captures[0], s->captures[1]},
        .move_number = s->move_number,
        .key = state_key(s),
    };
    return put_struct(out, &status, sizeof status);
}

static int32_t status_text(const void *state, uint16_t viewer, GpStr lang, GpText *out) {
    const State *s = state;
    (void)viewer;
    if (s == NULL || !is_good(lang)) return GP_E_ARGUMENT;
    bool zh = is_zh(lang);
    char text[128];
    if (s->outcome == GP_OUTCOME_RUNNING) {
        snprintf(text, sizeof text, zh ? "轮到%s" : "%s to move", pick(SIDES[s->turn], zh));
        return put(out, text);
    }
    const char *winner = pick(SIDES[s->winner], zh), *loser = pick(SIDES[1 - s->winner], zh);
    switch (s->reason) {
    case REASON_REACHED:
        snprintf(text, sizeof text, zh ? "%s走到底线，获胜" : "%s has reached the far edge and wins", winner);
        break;
    case GP_REASON_NO_MOVES:
        snprintf(text, sizeof text, zh ? "%s无棋可走，%s胜" : "%s cannot move: %s wins", loser, winner);
        break;
    case GP_REASON_TIME:
        snprintf(text, sizeof text, zh ? "%s超时，%s胜" : "%s ran out of time: %s wins", loser, winner);
        break;
    default:
        snprintf(text, sizeof text, zh ? "%s认输，%s胜" : "%s resigned: %s wins", loser, winner);
        break;
    }
    return put(out, text);
}

/* ---- The vtable's functions: moves ---------------------------------------------------- */

static int32_t moves(const void *state, uint16_t from, GpMove *out, uint64_t cap, uint64_t *need) {
    const State *s = state;
    if (s == NULL || need == NULL) return GP_E_ARGUMENT;
    GpMove all[MAX_MOVES];
    int count = list_moves(s, all), kept = 0;
    for (int i = 0; i < count; i++) {
        if (from == GP_NONE || all[i].from == from) all[kept++] = all[i];
    }
    *need = (uint64_t)kept;
    if (*need > cap) return GP_E_BUFFER;
    if (kept == 0) return GP_OK;
    if (out == NULL) return GP_E_ARGUMENT;
    memcpy(out, all, sizeof *out * (size_t)kept);
    return GP_OK;
}

static int32_t apply(GpState state, GpMove mv, uint32_t *events) {
    if (state == NULL) return GP_E_ARGUMENT;
    if (refuse(state, mv) != LEGAL) return GP_E_ILLEGAL;
    uint32_t happened = play(state, mv);
    if (events != NULL) *events = happened;
    return GP_OK;
}

static int32_t explain(const void *state, GpMove mv, GpStr lang, GpText *out) {
    if (state == NULL || !is_good(lang)) return GP_E_ARGUMENT;
    return put(out, pick(REFUSALS[refuse(state, mv)], is_zh(lang)));
}

/* Squares are named from the bottom left: A1. */
static char column_name(const State *s, int cell) { return (char)('A' + cell % s->side); }
static char row_name(const State *s, int cell) { return (char)('0' + s->side - cell / s->side); }

static bool is_on_board(const State *s, GpMove mv) { return mv.from < cells(s) && mv.to < cells(s); }

static int32_t move_text(const void *state, GpMove mv, GpText *out) {
    const State *s = state;
    if (s == NULL) return GP_E_ARGUMENT;
    char text[16];
    if (mv.kind == GP_MOVE_RESIGN) return put(out, "resign");
    if (mv.kind == GP_MOVE_FLAG) {
        snprintf(text, sizeof text, "flag %u", (unsigned)mv.arg);
        return put(out, text);
    }
    if (mv.kind != GP_MOVE_STEP || !is_on_board(s, mv)) return GP_E_ARGUMENT;
    snprintf(text, sizeof text, "%c%c-%c%c", column_name(s, mv.from), row_name(s, mv.from), column_name(s, mv.to),
             row_name(s, mv.to));
    return put(out, text);
}

/* Reads a square; -1 if there is none. */
static int read_square(const State *s, const uint8_t *text) {
    int column = text[0] - 'A', row = s->side - (text[1] - '0');
    return column >= 0 && column < s->side && row >= 0 && row < s->side ? row * s->side + column : -1;
}

static bool text_is(GpStr text, const char *word) { return text.len == strlen(word) && memcmp(text.ptr, word, text.len) == 0; }

static int32_t parse_move(const void *state, GpStr text, GpMove *out, GpText *err) {
    const State *s = state;
    if (s == NULL || out == NULL || !is_good(text)) return GP_E_ARGUMENT;
    GpMove mv = {0, GP_NONE, GP_NONE, 0};
    if (text.len == 0) return fail(GP_E_PARSE, err, "a move is wanted, such as A1-A2");
    if (text_is(text, "resign")) {
        mv.kind = GP_MOVE_RESIGN;
    } else if (text_is(text, "flag 0") || text_is(text, "flag 1")) {
        mv.kind = GP_MOVE_FLAG;
        mv.arg = text.ptr[5] - '0';
    } else {
        if (text.len != 5 || text.ptr[2] != '-') return fail(GP_E_PARSE, err, "not a move such as A1-A2");
        int from = read_square(s, text.ptr), to = read_square(s, text.ptr + 3);
        if (from < 0) return fail(GP_E_PARSE, err, "column 1: no such square");
        if (to < 0) return fail(GP_E_PARSE, err, "column 4: no such square");
        mv = (GpMove){GP_MOVE_STEP, (uint16_t)from, (uint16_t)to, 0};
    }
    *out = mv;
    return GP_OK;
}

static int32_t move_label(const void *state, GpMove mv, GpStr lang, GpText *out) {
    const State *s = state;
    if (s == NULL || !is_good(lang)) return GP_E_ARGUMENT;
    bool zh = is_zh(lang);
    char text[64];
    if (mv.kind == GP_MOVE_RESIGN) return put(out, zh ? "认输" : "resigns");
    if (mv.kind == GP_MOVE_FLAG) {
        if (mv.arg > 1) return GP_E_ARGUMENT;
        snprintf(text, sizeof text, zh ? "%s超时" : "%s out of time", pick(SIDES[mv.arg], zh));
        return put(out, text);
    }
    if (mv.kind != GP_MOVE_STEP || !is_on_board(s, mv)) return GP_E_ARGUMENT;
    snprintf(text, sizeof text, "%c%c%s%c%c", column_name(s, mv.from), row_name(s, mv.from), s->cell[mv.to] != 0 ? "×" : "–",
             column_name(s, mv.to), row_name(s, mv.to));
    return put(out, text);
}

/* ---- The search ------------------------------------------------------------------------- */

/* Negamax to the end of the game, one move of the root at a time. The lower levels
 * know the best move and, by the seed's decision, now and then play another. */

enum { WIN = 100, NODES_PER_LOOK = 256 };

/* Chance in 100 that a level plays anything; one entry for each level of `describe`. */
static const uint32_t STUMBLE_PERCENT[] = {50, 20, 0};

/* A move of the root. */
typedef struct Root {
    GpMove mv;
    int worth; /* to the player to move: positive if it wins, more so the sooner */
    uint64_t nodes;
} Root;

typedef struct Job {
    State state;
    /* Searched ones first, best first; then the others, in a random order so that equals alternate. */
    Root root[MAX_MOVES];
    int count, searched;
    /* Whether the level stumbles this time, and with which move. */
    bool stumbles;
    GpMove stumble;
    uint16_t candidates;
    uint64_t nodes, node_limit;
    uint64_t time_ms, started_ms; /* the clock runs from the first step on */
    bool started;
    bool stopped; /* a limit was reached or the job cancelled: it is done */
    /* The one field that another thread may touch: ai_cancel sets it during ai_step. */
    atomic_bool cancel;
} Job;

/* Of the calendar's clock, which is all that C11 has. */
static uint64_t now_ms(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool is_out(const Job *job) {
    if (job->nodes >= job->node_limit) return true;
    if (job->nodes % NODES_PER_LOOK != 0) return false;
    return atomic_load_explicit(&job->cancel, memory_order_relaxed) ||
           (job->time_ms > 0 && now_ms() - job->started_ms >= job->time_ms);
}

/* What a state is worth to the player to move, if that is within (alpha, beta); else
 * a bound of it. Means nothing once the job is stopped. */
static int negamax(Job *job, const State *s, int ply, int alpha, int beta) {
    if (job->stopped || is_out(job)) {
        job->stopped = true;
        return 0;
    }
    job->nodes++;
    /* Whoever has just moved has won; there are no draws. */
    if (s->outcome != GP_OUTCOME_RUNNING) return -(WIN - ply);
    GpMove list[MAX_MOVES];
    int count = list_moves(s, list);
    for (int i = 0; i < count && alpha < beta; i++) {
        State next = *s;
        play(&next, list[i]);
        int worth = -negamax(job, &next, ply + 1, -beta, -alpha);
        if (worth > alpha) alpha = worth;
    }
    return alpha;
}

/* Searches the next move of the root and puts it in its place. */
static void search_one(Job *job) {
    Root root = job->root[job->searched];
    State next = job->state;
    uint64_t before = job->nodes;
    play(&next, root.mv);
    root.worth = -negamax(job, &next, 1, -WIN, WIN);
    root.nodes = job->nodes - before;
    if (job->stopped) return;
    int place = job->searched++;
    for (; place > 0 && job->root[place - 1].worth < root.worth; place--) job->root[place] = job->root[place - 1];
    job->root[place] = root;
}

static int32_t win_permille(int worth) { return worth > 0 ? 1000 : 0; }

static void report(const Job *job, GpAiReport *out) {
    GpMove best = job->stumbles ? job->stumble : job->root[0].mv;
    out->best = best;
    out->nodes = job->nodes;
    out->depth = 0;
    out->win_permille = 500; /* unless the move has been searched */
    out->reserved = 0;
    out->candidates_len = out->line_len = out->heat_len = 0;
    for (int i = 0; i < job->searched; i++) {
        Root root = job->root[i];
        if (memcmp(&root.mv, &best, sizeof best) == 0) {
            out->win_permille = win_permille(root.worth);
            out->depth = (uint32_t)(WIN - abs(root.worth));
        }
        if (out->candidates != NULL && out->candidates_len < out->candidates_cap && out->candidates_len < job->candidates) {
            uint32_t visits = root.nodes < UINT32_MAX ? (uint32_t)root.nodes : UINT32_MAX;
            out->candidates[out->candidates_len++] = (GpCandidate){root.mv, win_permille(root.worth), visits};
        }
    }
    if (out->line != NULL && out->line_cap > 0) out->line[out->line_len++] = best;
}

/* A random number below a bound (splitmix64, by Guy Steele, Doug Lea and Christine Flood, 2014). */
static uint32_t random_below(uint64_t *seed, uint32_t bound) {
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ (z >> 31)) % bound);
}

static int32_t ai_start(const void *state, const GpAiParams *params, GpJob *out, GpText *err) {
    const State *s = state;
    if (out == NULL) return GP_E_ARGUMENT;
    *out = NULL;
    if (s == NULL || params == NULL) return GP_E_ARGUMENT;
    /* The caller may be older or newer: take what both know, the rest is zero. */
    GpAiParams given = {0};
    memcpy(&given, params, params->size < sizeof given ? params->size : sizeof given);
    if (s->outcome != GP_OUTCOME_RUNNING) return fail(GP_E_ARGUMENT, err, "the game is over");
    if (given.player != s->turn) return fail(GP_E_ARGUMENT, err, "that player is not to move");
    if (given.level >= sizeof STUMBLE_PERCENT / sizeof *STUMBLE_PERCENT) return fail(GP_E_ARGUMENT, err, "there is no such level");

    Job *job = calloc(1, sizeof *job);
    if (job == NULL) return GP_E_RESOURCE;
    job->state = *s;
    job->candidates = given.candidates;
    job->node_limit = given.node_limit > 0 ? given.node_limit : UINT64_MAX;
    job->time_ms = given.time_ms;
    atomic_init(&job->cancel, false);
    GpMove list[MAX_MOVES];
    job->count = list_moves(s, list);
    uint64_t seed = given.seed;
    for (int i = 0; i < job->count; i++) {
        uint32_t place = random_below(&seed, (uint32_t)i + 1);
        job->root[i] = job->root[place];
        job->root[place].mv = list[i];
    }
    bool hint = (given.flags & GP_AI_HINT) != 0;
    job->stumbles = random_below(&seed, 100) < STUMBLE_PERCENT[given.level] && !hint;
    job->stumble = job->root[job->count - 1].mv;
    *out = job;
    return GP_OK;
}

/* An analysis without end (GP_AI_INFINITE) ends here too when everything is known. */
static int32_t ai_step(GpJob handle, uint32_t budget_ms, GpAiReport *out) {
    Job *job = handle;
    if (job == NULL || out == NULL || out->size < sizeof *out) return GP_E_ARGUMENT;
    uint64_t begun = now_ms();
    if (!job->started) {
        job->started = true;
        job->started_ms = begun;
    }
    while (!job->stopped && job->searched < job->count) {
        search_one(job);
        if (!job->stopped && job->searched < job->count && now_ms() - begun >= budget_ms) {
            report(job, out);
            return GP_MORE;
        }
    }
    report(job, out);
    return GP_OK;
}

static void ai_cancel(const void *handle) {
    /* The ABI hands jobs to ai_cancel as const, to say that it changes nothing but this flag. */
    Job *job = (Job *)(uintptr_t)handle;
    if (job != NULL) atomic_store_explicit(&job->cancel, true, memory_order_relaxed);
}

static void ai_free(GpJob job) { free(job); }

/* ---- The export ----------------------------------------------------------------------------- */

/* Record formats, overlays and a ladder are left out: their functions stay NULL. */
static const GamePlugin HEXAPAWN = {
    .size = sizeof(GamePlugin),
    .describe = describe,
    .create = create,
    .clone = clone,
    .destroy = destroy,
    .layout = layout,
    .view = view,
    .status = status,
    .status_text = status_text,
    .moves = moves,
    .apply = apply,
    .explain = explain,
    .move_text = move_text,
    .parse_move = parse_move,
    .move_label = move_label,
    .ai_start = ai_start,
    .ai_step = ai_step,
    .ai_cancel = ai_cancel,
    .ai_free = ai_free,
};

static const GamePlugin *plugin(uint32_t index) { return index == 0 ? &HEXAPAWN : NULL; }

static const GamePluginEntry ENTRY = {
    .size = sizeof(GamePluginEntry),
    .magic = GP_MAGIC,
    .abi_major = GP_ABI_MAJOR,
    .abi_minor = GP_ABI_MINOR,
    .count = 1,
    .plugin = plugin,
};

QIJU_EXPORT const GamePluginEntry *game_plugin_entry(void) { return &ENTRY; }
