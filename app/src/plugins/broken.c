/*
 * A library for the tests of loading: built with -DFAULT="name" it is broken in
 * that one way. Its game cannot be played; only its description matters.
 */
#include "game_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int faulty(const char *name) { return strcmp(FAULT, name) == 0; }

static const char *const GOOD =
    "id = \"broken\"\nname = \"B\"\n[[sides]]\nname = \"S\"\n[[options]]\nkey = \"k\"\nname = \"K\"\ntype = \"int\"\n"
    "default = 3\nmin = 1\nmax = 9\n";

static const char *text(GpStr lang) {
    if (faulty("not-toml")) return "id = \"broken\"\nname = = 3\n";
    if (faulty("bad-id")) return "id = \"No Spaces\"\nsides = [{}]\n";
    if (faulty("no-id")) return "sides = [{}]\n";
    if (faulty("no-sides")) return "id = \"broken\"\nsides = []\n";
    if (faulty("five-sides")) return "id = \"broken\"\nsides = [{}, {}, {}, {}, {}]\n";
    if (faulty("bad-default"))
        return "id = \"broken\"\nsides = [{}]\noptions = [{ key = \"k\", type = \"int\", default = 12, max = 9 }]\n";
    if (faulty("future")) /* keys and words that this version does not know */
        return "id = \"broken\"\nwhat = { x = 1 }\n[[sides]]\nname = \"S\"\nmood = 3\n[[pieces]]\nshape = \"blob\"\nname = \"P\"\n"
               "[[options]]\nkey = \"c\"\ntype = \"colour\"\ndefault = [1, 2]\n";
    if (faulty("languages-differ") && lang.len > 0 && lang.ptr[0] == 'z') return "id = \"broken\"\nsides = [{}, {}]\n";
    return GOOD;
}

static int32_t describe(GpStr lang, GpText *out) {
    const char *answer = text(lang);
    size_t len = strlen(answer);
    if (faulty("segfault")) *(volatile int *)8 = 1;
    if (faulty("abort")) abort();
    if (faulty("exit")) exit(0);
    if (faulty("hang")) for (volatile int forever = 1; forever;) {}
    if (faulty("panic")) return GP_E_PANIC;
    if (faulty("refuses")) return GP_E_RESOURCE;
    if (faulty("strange-code")) return 77;
    if (faulty("chatter")) for (int i = 0; i < 100000; i++) puts("qiju-probe-begin: a plugin that talks and talks");
    if (faulty("huge")) {
        out->len = UINT64_C(1) << 40;
        return GP_E_BUFFER;
    }
    if (faulty("never-enough")) {
        out->len = out->cap + 1;
        return GP_E_BUFFER;
    }
    if (faulty("overlong")) {
        out->len = out->cap + 1;
        return GP_OK;
    }
    if (faulty("not-utf8")) {
        memcpy(out->ptr, "id\xff", 3);
        out->len = 3;
        return GP_OK;
    }
    out->len = len;
    if (len > out->cap) return GP_E_BUFFER;
    memcpy(out->ptr, answer, len);
    return GP_OK;
}

/* Stands for every other function: nobody calls them here. */
static int32_t never(void) { return GP_E_UNSUPPORTED; }

#define NEVER(field) .field = (__typeof__(((GamePlugin *)0)->field))(void *)never

static GamePlugin game = {
    .size = sizeof game, .describe = describe, NEVER(create), NEVER(clone), NEVER(destroy), NEVER(layout), NEVER(view),
    NEVER(status), NEVER(status_text), NEVER(moves), NEVER(apply), NEVER(explain), NEVER(move_text), NEVER(parse_move),
    NEVER(move_label),
};

static const GamePlugin *plugin(uint32_t index) { return faulty("null-game") || index > 1 ? NULL : &game; }

static GamePluginEntry entry = {sizeof entry, GP_MAGIC, GP_ABI_MAJOR, GP_ABI_MINOR, 1, 0, plugin};

__attribute__((constructor)) static void loaded(void) {
    if (faulty("crash-at-load")) abort();
}

static const GamePluginEntry *enter(void) {
    if (faulty("null-entry")) return NULL;
    if (faulty("magic")) entry.magic = 0x12345678;
    if (faulty("major")) entry.abi_major = 7;
    if (faulty("minor")) entry.abi_minor = 7;
    if (faulty("none")) entry.count = 0;
    if (faulty("many")) entry.count = 1000000;
    if (faulty("short-entry")) entry.size = 16;
    if (faulty("twins")) entry.count = 2;
    if (faulty("no-apply")) game.apply = NULL;
    if (faulty("half-ai")) game.ai_start = (__typeof__(game.ai_start))(void *)never;
    /* An older game, whose table ends before `move_label`. */
    if (faulty("short-table")) game.size = (uint32_t)__builtin_offsetof(GamePlugin, move_label);
    /* A newer one, whose table goes on. */
    if (faulty("long-table")) game.size = sizeof game + 64;
    return &entry;
}

#ifdef NO_SYMBOL
QIJU_EXPORT const GamePluginEntry *another_entry(void) { return enter(); }
#else
QIJU_EXPORT const GamePluginEntry *game_plugin_entry(void) { return enter(); }
#endif
