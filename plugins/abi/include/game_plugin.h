/*
 * game_plugin.h: the C ABI between the Qiju shell and a game, version 1.0.
 *
 * This one file and the C library are all that a game needs. docs/ABI.md tells
 * the same in prose, with every key of the TOML texts; plugins/examples/hexapawn
 * is a whole game written against it. plugins/abi/src/lib.rs is the same ABI for
 * Rust: a test compiles this header and compares every size, offset, type and
 * constant, so change both or neither.
 *
 * Licence: MIT OR Apache-2.0.
 *
 * RULES
 *
 * Integers have fixed widths. There is no bool, no C enum, no bit-field, no
 * variable argument list and no implicit padding. Pointers are 64 bits wide.
 *
 * Text is UTF-8, given as pointer and length, never NUL-terminated.
 *
 * A struct that may grow begins with `size`. Its owner (named on the field) sets
 * it to sizeof of the struct as it was compiled, after setting the whole struct
 * to zero. It grows at its end only: the other side reads and writes the first
 * min(its own, the other's) bytes and takes the rest as zero. Structs without
 * `size` never grow.
 *
 * Nothing is freed across the border. What a function gives goes into the
 * caller's buffer. Pointers that a function is given are good until it returns,
 * and what they point to is good for no other call at the same time.
 *
 * No panic, C++ exception or longjmp leaves a function of a game.
 *
 * Unknown flags, options, TOML keys and extension ids are ignored.
 *
 * A game state reads no clock, no file and no randomness other than its seed,
 * and has no globals behind it: equal options, seed and moves give an equal
 * state on every machine. Time comes in as a move (GP_MOVE_TIMEOUT). A search
 * may read a clock.
 *
 * A library that was loaded once is never unloaded.
 *
 * THREADS
 *
 * [main]   one thread at a time per library.
 * [state]  any thread, but not two calls at once on one state, except that calls
 *          which take it as `const` may run beside each other.
 * [job]    any thread, one call at a time per job.
 * [any]    any thread at any time, beside anything.
 */
#ifndef QIJU_GAME_PLUGIN_H
#define QIJU_GAME_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
static_assert(sizeof(void *) == 8, "the Qiju plugin ABI is defined for 64-bit targets only");
#else
_Static_assert(sizeof(void *) == 8, "the Qiju plugin ABI is defined for 64-bit targets only");
#endif

/* Put before the definition of game_plugin_entry: makes the symbol visible
 * though the library be compiled with -fvisibility=hidden, or for Windows. */
#if defined(_WIN32)
#define QIJU_EXPORT __declspec(dllexport)
#else
#define QIJU_EXPORT __attribute__((visibility("default")))
#endif

/* GamePluginEntry.magic: "QIJU" read as a big-endian number. */
#define GP_MAGIC UINT32_C(0x51494A55)
/* A library of another major version is refused. It counts up with every
 * incompatible change; version 1.0 of the app freezes it. */
#define GP_ABI_MAJOR UINT32_C(1)
/* Counts compatible additions. It never gates loading. */
#define GP_ABI_MINOR UINT32_C(0)
/* Name of the one exported symbol. */
#define GP_ENTRY_SYMBOL "game_plugin_entry"

/* ---- Results ------------------------------------------------------------ */

/* Done. */
#define GP_OK INT32_C(0)
/* ai_step only: the search goes on, call again. */
#define GP_MORE INT32_C(1)
/* The output buffer is too small; the need has been reported. */
#define GP_E_BUFFER INT32_C(-1)
/* An argument is not valid: a null pointer, an index out of range, text that is
 * not UTF-8. */
#define GP_E_ARGUMENT INT32_C(-2)
/* The move is not legal here; the state is as before. `explain` says why. */
#define GP_E_ILLEGAL INT32_C(-3)
/* Text could not be read (move, record, options); the error text says where and
 * why. */
#define GP_E_PARSE INT32_C(-4)
/* An option has a value that it cannot take; the error text names the key. */
#define GP_E_OPTION INT32_C(-5)
/* The game does not offer this (a record format, an overlay, a ladder). */
#define GP_E_UNSUPPORTED INT32_C(-6)
/* The game failed inside. The object of the call must not be used again, only
 * destroyed. */
#define GP_E_PANIC INT32_C(-7)
/* Out of memory or of another resource. */
#define GP_E_RESOURCE INT32_C(-8)

/* ---- Numbers that stand for "none" --------------------------------------- */

/* No cell, no selection, nobody to move, no winner. */
#define GP_NONE UINT16_C(0xFFFF)
/* A viewer who sees only what is public. Players are 0, 1, ... */
#define GP_VIEWER_PUBLIC UINT16_C(0xFFFE)
/* The most players a game may have: the length of the arrays in GpStatus. */
#define GP_MAX_PLAYERS 4
/* An overlay has nothing to show on this cell. */
#define GP_OVERLAY_NONE INT32_MIN

/* ---- Text ----------------------------------------------------------------- */

/* Borrowed UTF-8 text (for read_record: bytes). The callee may use it during the
 * call only. */
typedef struct GpStr {
    /* First byte; may be NULL where `len` is 0. */
    const uint8_t *ptr;
    /* Bytes. */
    uint64_t len;
} GpStr;

/* The caller's buffer for text (for write_record: bytes).
 *
 * As a result (`out`): the callee sets `len` to the bytes of the whole text; if
 * that is more than `cap` it returns GP_E_BUFFER and the buffer's content means
 * nothing. So a call with cap 0 asks for the need.
 *
 * As an error text (`err`): never fails; the callee writes what fits, cut
 * between characters, and sets `len` to what it wrote. `err` may be NULL. The
 * caller sets `len` to 0 before the call: where there is nothing to say, the
 * callee may leave it alone. */
typedef struct GpText {
    /* First byte of the buffer; may be NULL where `cap` is 0. */
    uint8_t *ptr;
    /* Bytes available. Set by the caller. */
    uint64_t cap;
    /* Bytes of the text. Set by the callee. */
    uint64_t len;
} GpText;

/* ---- Moves ----------------------------------------------------------------- */

/* One move. Cells are counted through all areas of the layout in order, each row
 * by row from its top left. A field that does not apply is GP_NONE (`from`,
 * `to`) or 0 (`arg`). Moves are ordered by (kind, from, to, arg). */
typedef struct GpMove {
    /* One of GP_MOVE_*. */
    uint16_t kind;
    /* Cell that is left, for GP_MOVE_STEP. */
    uint16_t from;
    /* Cell that is played on. */
    uint16_t to;
    /* A number of the game's own (promotion piece, button, set-up piece). */
    uint16_t arg;
} GpMove;

/* A piece appears on `to`. One click. */
#define GP_MOVE_PLACE UINT16_C(1)
/* A piece goes from `from` to `to`. Two clicks or a drag. */
#define GP_MOVE_STEP UINT16_C(2)
/* The turn goes to the next player. Key P. */
#define GP_MOVE_PASS UINT16_C(3)
/* The player to move gives up. Never listed by `moves`; legal while the game runs
 * if `describe` says `resign = true`. */
#define GP_MOVE_RESIGN UINT16_C(4)
/* A choice `arg` that is no cell: shown as a button, labelled by move_label. */
#define GP_MOVE_CHOOSE UINT16_C(5)
/* `to` is tapped: turns a card, toggles a group, answers a question. One click. */
#define GP_MOVE_TAP UINT16_C(6)
/* GpStatus.timeout_ms has run out. Applied by the shell, never by a player;
 * listed by `moves` while it is legal. */
#define GP_MOVE_TIMEOUT UINT16_C(7)
/* A record puts piece `arg` (0: none) on `to` outside the turns. Never listed by
 * `moves`. */
#define GP_MOVE_SETUP UINT16_C(8)
/* The player `arg`, whose clock ran out, loses. Applied by the shell's clock,
 * never listed by `moves`; legal under the same terms as GP_MOVE_RESIGN. */
#define GP_MOVE_FLAG UINT16_C(9)

/* ---- Events: bits of apply's output, for sound and animation ----------------- */

/* A piece was placed. */
#define GP_EVENT_PLACE (UINT32_C(1) << 0)
/* A piece moved. */
#define GP_EVENT_STEP (UINT32_C(1) << 1)
/* Something was taken. */
#define GP_EVENT_CAPTURE (UINT32_C(1) << 2)
/* A check was given. */
#define GP_EVENT_CHECK (UINT32_C(1) << 3)
/* A card was turned. */
#define GP_EVENT_FLIP (UINT32_C(1) << 4)
/* A right answer, a pair. */
#define GP_EVENT_MATCH (UINT32_C(1) << 5)
/* A wrong answer, no pair. */
#define GP_EVENT_MISS (UINT32_C(1) << 6)
/* The turn was passed. */
#define GP_EVENT_PASS (UINT32_C(1) << 7)
/* The game, or the level, was won by somebody. */
#define GP_EVENT_WIN (UINT32_C(1) << 8)
/* The game, or the level, ended without a winner or was lost by the only player. */
#define GP_EVENT_END (UINT32_C(1) << 9)
/* The phase changed. */
#define GP_EVENT_PHASE (UINT32_C(1) << 10)

/* ---- The view ------------------------------------------------------------------ */

/* What a viewer sees on one cell. Never grows: it stands in arrays. */
typedef struct GpCell {
    /* 0: empty; otherwise 1 + index into the piece kinds of `describe`. */
    uint16_t piece;
    /* One of GP_MARK_*. */
    uint16_t mark;
    /* Bits GP_CELL_*. */
    uint32_t flags;
    /* A number shown on the cell if GP_CELL_NUMBER is set. */
    int32_t number;
    /* Background of the cell: 0 none, otherwise 1 + index into the colour roles
     * black, white, red, green, blue, yellow, brown, gray. */
    uint32_t tint;
} GpCell;

/* No mark. */
#define GP_MARK_NONE UINT16_C(0)
/* A triangle. */
#define GP_MARK_TRIANGLE UINT16_C(1)
/* A square. */
#define GP_MARK_SQUARE UINT16_C(2)
/* A circle. */
#define GP_MARK_CIRCLE UINT16_C(3)
/* A cross. */
#define GP_MARK_CROSS UINT16_C(4)
/* A small filled dot in the colour of the first player. */
#define GP_MARK_DOT_FIRST UINT16_C(5)
/* A small filled dot in the colour of the second player. */
#define GP_MARK_DOT_SECOND UINT16_C(6)

/* The last move ended here. */
#define GP_CELL_LAST (UINT32_C(1) << 0)
/* The last move began here. */
#define GP_CELL_LAST_FROM (UINT32_C(1) << 1)
/* A legal target of the selected cell, or of any move while targets are few (a
 * card, a candidate). */
#define GP_CELL_TARGET (UINT32_C(1) << 2)
/* In check. */
#define GP_CELL_CHECK (UINT32_C(1) << 3)
/* Face down: what is under it never leaves the game. */
#define GP_CELL_FACE_DOWN (UINT32_C(1) << 4)
/* Flashing now. */
#define GP_CELL_FLASH (UINT32_C(1) << 5)
/* Taken to be dead; drawn faded. */
#define GP_CELL_DEAD (UINT32_C(1) << 6)
/* Part of the line, pair or group that decided the game. */
#define GP_CELL_WINNING (UINT32_C(1) << 7)
/* A right answer. */
#define GP_CELL_RIGHT (UINT32_C(1) << 8)
/* A wrong answer. */
#define GP_CELL_WRONG (UINT32_C(1) << 9)
/* `number` is shown. */
#define GP_CELL_NUMBER (UINT32_C(1) << 10)
/* The cell is no part of the board: nothing is drawn, nothing can be clicked. */
#define GP_CELL_VOID (UINT32_C(1) << 11)
/* The selected cell itself. */
#define GP_CELL_SELECTED (UINT32_C(1) << 12)
/* A legal point to play on, worth a hover ghost. */
#define GP_CELL_PLAYABLE (UINT32_C(1) << 13)
/* Out of play for now; drawn dim. */
#define GP_CELL_DIM (UINT32_C(1) << 14)

/* ---- Status ---------------------------------------------------------------------- */

/* Where the game stands. */
typedef struct GpStatus {
    /* Bytes of this struct as the caller knows it. Set by the caller; the callee
     * writes no more than that. */
    uint32_t size;
    /* The game's own number of its phase; 0 is the ordinary one. */
    uint32_t phase;
    /* Bits GP_STATUS_*. */
    uint32_t flags;
    /* One of GP_OUTCOME_*. */
    uint16_t outcome;
    /* One of GP_REASON_*, or the game's own from 1000 up; 0 while running. */
    uint16_t reason;
    /* The player to move; GP_NONE if nobody is (the game is over, a timed phase
     * runs). */
    uint16_t to_move;
    /* The winner for GP_OUTCOME_WIN, else GP_NONE. */
    uint16_t winner;
    /* Not 0: after this many milliseconds the shell applies GP_MOVE_TIMEOUT. */
    uint32_t timeout_ms;
    /* Score per player in half points, if GP_STATUS_SCORE is set. */
    int32_t score[GP_MAX_PLAYERS];
    /* Pieces that each player has taken, if GP_STATUS_CAPTURES is set. */
    int32_t captures[GP_MAX_PLAYERS];
    /* Lives left, if GP_STATUS_LIVES is set. */
    int32_t lives;
    /* Successes in a row, if GP_STATUS_LIVES is set. */
    int32_t streak;
    /* Moves applied since `create`. */
    uint32_t move_number;
    /* Zero. */
    uint32_t reserved;
    /* A key of everything that decides how the game goes on; equal states have
     * equal keys. */
    uint64_t key;
} GpStatus;

/* The game runs. */
#define GP_OUTCOME_RUNNING UINT16_C(0)
/* `winner` has won. */
#define GP_OUTCOME_WIN UINT16_C(1)
/* Nobody has won. */
#define GP_OUTCOME_DRAW UINT16_C(2)
/* A solo level was passed. */
#define GP_OUTCOME_PASSED UINT16_C(3)
/* A solo level was lost. */
#define GP_OUTCOME_FAILED UINT16_C(4)

/* The players' scores were compared. */
#define GP_REASON_SCORE UINT16_C(1)
/* A player gave up. */
#define GP_REASON_RESIGN UINT16_C(2)
/* A clock ran out. */
#define GP_REASON_TIME UINT16_C(3)
/* A line was made. */
#define GP_REASON_LINE UINT16_C(4)
/* Checkmate. */
#define GP_REASON_MATE UINT16_C(5)
/* The player to move had no legal move. */
#define GP_REASON_NO_MOVES UINT16_C(6)
/* A position came again too often. */
#define GP_REASON_REPETITION UINT16_C(7)
/* A forbidden way of repeating (perpetual check or chase). */
#define GP_REASON_PERPETUAL UINT16_C(8)
/* Too many moves without progress. */
#define GP_REASON_MOVE_LIMIT UINT16_C(9)
/* Neither side can win any more. */
#define GP_REASON_MATERIAL UINT16_C(10)
/* The board is full. */
#define GP_REASON_FULL UINT16_C(11)
/* A forbidden move was played. */
#define GP_REASON_FORBIDDEN UINT16_C(12)
/* Everything was found. */
#define GP_REASON_COMPLETE UINT16_C(13)
/* No lives are left. */
#define GP_REASON_LIVES UINT16_C(14)

/* The player to move is in check. */
#define GP_STATUS_CHECK (UINT32_C(1) << 0)
/* The last move may not be undone (lives were lost, something hidden was seen). */
#define GP_STATUS_FINAL (UINT32_C(1) << 1)
/* `score` has a meaning now. */
#define GP_STATUS_SCORE (UINT32_C(1) << 2)
/* `captures` has a meaning. */
#define GP_STATUS_CAPTURES (UINT32_C(1) << 3)
/* `lives` and `streak` have a meaning. */
#define GP_STATUS_LIVES (UINT32_C(1) << 4)
/* If the app is hidden in this phase, the shell applies GP_MOVE_TIMEOUT with
 * `arg` 1: the phase is dealt again. */
#define GP_STATUS_REDEAL_IF_HIDDEN (UINT32_C(1) << 5)
/* A pass is legal now (so that the shell need not list moves to know). */
#define GP_STATUS_CAN_PASS (UINT32_C(1) << 6)

/* ---- The search -------------------------------------------------------------------- */

/* What a search is asked for. */
typedef struct GpAiParams {
    /* Bytes of this struct. Set by the caller. */
    uint32_t size;
    /* Index into the AI levels of `describe`. */
    uint32_t level;
    /* Threads to use; 0 or 1: one. With more than one the result may differ from
     * run to run. */
    uint32_t threads;
    /* Bits GP_AI_*. */
    uint32_t flags;
    /* Seed of everything random. */
    uint64_t seed;
    /* Nodes or play-outs at the most; 0: what the level says. */
    uint64_t node_limit;
    /* Milliseconds at the most; 0: no limit of time. A job ends at the first limit
     * that it reaches. */
    uint64_t time_ms;
    /* The player whom the search serves: it may use only what that player has
     * seen. */
    uint16_t player;
    /* Candidates wanted in the report at the most. */
    uint16_t candidates;
    /* Zero. */
    uint32_t reserved;
} GpAiParams;

/* The search is for teaching: play as well as time allows, whatever the level;
 * never resign. */
#define GP_AI_HINT (UINT32_C(1) << 0)
/* Go on until cancelled or out of time (analysis). */
#define GP_AI_INFINITE (UINT32_C(1) << 1)

/* A move that the search has looked at. Never grows: it stands in arrays. */
typedef struct GpCandidate {
    /* The move. */
    GpMove mv;
    /* Chance to win for the searching player, 0 to 1000. */
    int32_t win_permille;
    /* Nodes or play-outs spent on it, capped. */
    uint32_t visits;
} GpCandidate;

/* What a search knows so far. The three arrays are the caller's. A callee refuses
 * a report that is shorter than that of version 1.0 with GP_E_ARGUMENT. */
typedef struct GpAiReport {
    /* Bytes of this struct. Set by the caller. */
    uint32_t size;
    /* Candidates there is room for. Set by the caller. */
    uint32_t candidates_cap;
    /* Candidates written, best first. */
    uint32_t candidates_len;
    /* Moves there is room for in `line`. Set by the caller. */
    uint32_t line_cap;
    /* Moves written to `line`. */
    uint32_t line_len;
    /* Cells there is room for in `heat`. Set by the caller. */
    uint32_t heat_cap;
    /* Cells written to `heat`; 0 if the search has none. */
    uint32_t heat_len;
    /* Chance to win for the searching player, 0 to 1000. */
    int32_t win_permille;
    /* The move that the search would play now; kind 0 if it has none yet. */
    GpMove best;
    /* Nodes or play-outs so far. */
    uint64_t nodes;
    /* Plies looked ahead along the main line. */
    uint32_t depth;
    /* Zero. */
    uint32_t reserved;
    /* The candidates; may be NULL where there is no room. Set by the caller. */
    GpCandidate *candidates;
    /* The line that the search expects, `best` first; may be NULL likewise. */
    GpMove *line;
    /* Per cell -1000 to 1000, from the second player's to the first player's
     * (ownership, worth of a point); may be NULL likewise. */
    int32_t *heat;
} GpAiReport;

/* How a finished level went. */
typedef struct GpLevelResult {
    /* Bytes of this struct. Set by the caller. */
    uint32_t size;
    /* 1 if the level was passed, else 0. */
    uint32_t passed;
    /* 0 to 3. */
    uint32_t stars;
    /* Points, more is better. */
    int32_t points;
} GpLevelResult;

/* ---- The vtable ----------------------------------------------------------------------- */

/* A game state. Only the game knows what is in it. */
typedef void *GpState;
/* A running search. */
typedef void *GpJob;

/* The functions of one game. Those marked "Optional" may be NULL. Every function
 * that returns int32_t returns GP_OK or one of GP_E_*, unless it says otherwise.
 * `lang` is a language tag: "zh..." is Chinese, everything else English. */
typedef struct GamePlugin {
    /* Bytes of this struct. Set by the game. */
    uint32_t size;
    /* Zero. */
    uint32_t reserved;

    /* [any] TOML text of all that is static. Takes under 10 ms. */
    int32_t (*describe)(GpStr lang, GpText *out);

    /* [any] A new state from options (a TOML table, one `key = value` a line) and a
     * seed. On failure *out is NULL and `err` says why, in `lang`: GP_E_OPTION
     * names the key, GP_E_PARSE means that the table is not TOML. */
    int32_t (*create)(GpStr options, uint64_t seed, GpStr lang, GpState *out, GpText *err);

    /* [state] A copy that shares nothing. On failure *out is NULL. */
    int32_t (*clone)(const void *state, GpState *out);

    /* [state] Ends a state's life. NULL is ignored. */
    void (*destroy)(GpState state);

    /* [state] TOML text of the areas; the same for the whole life of a state, except
     * words, which follow `lang`. */
    int32_t (*layout)(const void *state, GpStr lang, GpText *out);

    /* [state] The cells as `viewer` (a player or GP_VIEWER_PUBLIC) may see them, with
     * the targets of `selected` (a cell or GP_NONE) marked. *need is the number of
     * cells; GP_E_BUFFER if `cap` is less. */
    int32_t (*view)(const void *state, uint16_t viewer, uint16_t selected, GpCell *out, uint64_t cap, uint64_t *need);

    /* [state] Where the game stands. */
    int32_t (*status)(const void *state, GpStatus *out);

    /* [state] One line for `viewer`: whose turn, what is expected, how it ended. */
    int32_t (*status_text)(const void *state, uint16_t viewer, GpStr lang, GpText *out);

    /* [state] The legal moves in a stable order, each once: all of them (`from` is
     * GP_NONE), or those that begin on `from`. *need is their number; GP_E_BUFFER
     * if `cap` is less. */
    int32_t (*moves)(const void *state, uint16_t from, GpMove *out, uint64_t cap, uint64_t *need);

    /* [state] Plays a move; *events, unless `events` is NULL, gets GP_EVENT_* bits.
     * GP_E_ILLEGAL leaves the state as it was. */
    int32_t (*apply)(GpState state, GpMove mv, uint32_t *events);

    /* [state] Why a move is illegal, in words; empty text for a legal one. */
    int32_t (*explain)(const void *state, GpMove mv, GpStr lang, GpText *out);

    /* [state] The move as canonical text: what is stored. The state is the one before
     * the move. */
    int32_t (*move_text)(const void *state, GpMove mv, GpText *out);

    /* [state] Canonical text back into a move, which need not be legal. */
    int32_t (*parse_move)(const void *state, GpStr text, GpMove *out, GpText *err);

    /* [state] The move as people write it in that language. */
    int32_t (*move_label)(const void *state, GpMove mv, GpStr lang, GpText *out);

    /* [any] Optional. A neutral record (TOML) into the bytes of a record format of
     * `describe`. */
    int32_t (*write_record)(GpStr format, GpStr record, GpText *out, GpText *err);

    /* [any] Optional. The bytes of a file into a neutral record. GP_E_PARSE: `err` names
     * line and column; with out->len not 0 as much as could be read is there. */
    int32_t (*read_record)(GpStr format, GpStr bytes, GpText *out, GpText *err);

    /* [state] Optional as a group with the three below. A search over its own copy of the
     * state. On failure *out is NULL. */
    int32_t (*ai_start)(const void *state, const GpAiParams *params, GpJob *out, GpText *err);

    /* [job] Searches for about `budget_ms` and reports. GP_MORE until done; then GP_OK
     * and `best` is the answer. */
    int32_t (*ai_step)(GpJob job, uint32_t budget_ms, GpAiReport *out);

    /* [any] Makes a running ai_step return within 50 ms and all later ones at once. The
     * job is still to be freed. NULL is ignored. */
    void (*ai_cancel)(const void *job);

    /* [job] Ends a job's life; never while ai_step or ai_cancel runs. NULL is ignored. */
    void (*ai_free)(GpJob job);

    /* [state] Optional. The values of overlay `index` for `viewer`, one per cell; its kind
     * in `describe` says what they mean; GP_OVERLAY_NONE where there is nothing to
     * show. *need is the number of cells; GP_E_BUFFER if `cap` is less. */
    int32_t (*overlay)(const void *state, uint32_t index, uint16_t viewer, int32_t *out, uint64_t cap, uint64_t *need);

    /* [any] Optional. Level `index` of the ladder as TOML: name, options, opponent. */
    int32_t (*level)(uint32_t index, GpStr lang, GpText *out);

    /* [state] Optional. How level `index` went, seen by `player`; the game must be over. */
    int32_t (*level_result)(const void *state, uint32_t index, uint16_t player, GpLevelResult *out);

    /* [any] Optional. A table of further functions by "id/1", or NULL. It lives as long as
     * the library. */
    const void *(*extension)(GpStr id);

    /* [state] Optional. The account of a score for `viewer` as TOML (see docs/ABI.md): what each
     * side's points are made of, and why who wins. GP_E_UNSUPPORTED while there is nothing to
     * account for. */
    int32_t (*tally)(const void *state, uint16_t viewer, GpStr lang, GpText *out);
} GamePlugin;

/* What the exported symbol gives. It lives as long as the library. */
typedef struct GamePluginEntry {
    /* Bytes of this struct. Set by the library. */
    uint32_t size;
    /* GP_MAGIC. */
    uint32_t magic;
    /* GP_ABI_MAJOR of the header it was compiled with. */
    uint32_t abi_major;
    /* GP_ABI_MINOR of the header it was compiled with. */
    uint32_t abi_minor;
    /* Games in this library. */
    uint32_t count;
    /* Zero. */
    uint32_t reserved;
    /* [any] The vtable of game `index`, or NULL. It lives as long as the library. */
    const GamePlugin *(*plugin)(uint32_t index);
} GamePluginEntry;

/* Type of the exported symbol. */
typedef const GamePluginEntry *(*GamePluginEntryFn)(void);

/* [main] The one exported symbol: every library defines it. */
QIJU_EXPORT const GamePluginEntry *game_plugin_entry(void);

#ifdef __cplusplus
}
#endif

#endif /* QIJU_GAME_PLUGIN_H */
