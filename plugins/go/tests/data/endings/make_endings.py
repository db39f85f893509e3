#!/usr/bin/env python3
"""Makes finished games with GNU Go's word on them: score, and which stones are dead.

    make_endings.py --qiju "target/release/qiju-go" --out endings.jsonl --games 220

Two engines play to two passes: GNU Go at a low or middle level, against itself at another level or against
`qiju-go` at few play-outs. The first moves are drawn at random by the number of the game, so that no two are
alike. GNU Go (Chinese rules) is then asked for the score and for the status of all stones. One game a line is
appended; a run that was broken off goes on where it stopped. Needs Python 3.9 and the program `gnugo`.
"""

import argparse
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 5, "tests", "strength"))
from referee import COLUMNS, GNUGO, Engine, EngineError  # noqa: E402


def plan(number, qiju):
    """Board side, engines and number of random moves of a game."""
    draw = random.Random(number)
    size = 9 if number % 10 < 7 else 13 if number % 10 < 9 else 19
    levels = [draw.choice([1, 2, 4, 6, 8]) for _ in range(2)]
    if size == 19:
        levels = [1, 1]
    engines = [f"{GNUGO} --mode gtp --chinese-rules --level {level} --seed {number + 1}" for level in levels]
    if number % 3 != 0 and size < 19:
        playouts = draw.choice([100, 300, 1000])
        engines[number % 2] = f"{qiju} --playouts {playouts} --threads 1 --no-resign --seed {number + 1}"
    return size, engines, 4 if size == 9 else 8


def play(number, qiju, komi=7.5):
    """One game as a table; None if it did not end with two passes."""
    size, commands, plies = plan(number, qiju)
    draw = random.Random(1000 + number)
    engines = [Engine(command) for command in commands]
    judge = Engine(f"{GNUGO} --mode gtp --chinese-rules --level 10")
    try:
        for engine in [*engines, judge]:
            engine.ask(f"boardsize {size}")
            engine.ask("clear_board")
            engine.ask(f"komi {komi}")
        moves, passes = [], 0
        while passes < 2:
            if len(moves) > 3 * size * size:
                return None
            turn = len(moves) % 2
            color = "bw"[turn]
            if len(moves) < plies:
                move = moves[0] if moves else ""
                while not move or move in moves:
                    move = COLUMNS[draw.randrange(1, size - 1)].lower() + str(draw.randrange(2, size))
                engines[turn].ask(f"play {color} {move}")
            else:
                move = engines[turn].genmove(color)
            if move == "resign":
                return None
            engines[1 - turn].ask(f"play {color} {move}")
            judge.ask(f"play {color} {move}")
            moves.append(move)
            passes = passes + 1 if move == "pass" else 0
        game = {"number": number, "size": size, "komi": komi, "moves": " ".join(moves)}
        game["score"] = judge.ask("final_score")
        for status in ["dead", "seki"]:
            game[status] = " ".join(judge.ask(f"final_status_list {status}").split())
        return game
    except EngineError as error:
        print(f"game {number}: {error}", file=sys.stderr)
        return None
    finally:
        for engine in [*engines, judge]:
            engine.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--qiju", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--games", type=int, default=220)
    args = parser.parse_args()
    done = -1
    if os.path.exists(args.out):
        with open(args.out, encoding="utf-8") as file:
            done = max((json.loads(line)["number"] for line in file), default=-1)
    for number in range(done + 1, args.games):
        game = play(number, args.qiju)
        if game:
            with open(args.out, "a", encoding="utf-8") as file:
                file.write(json.dumps(game) + "\n")


if __name__ == "__main__":
    main()
