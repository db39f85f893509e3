#!/usr/bin/env python3
"""Plays a match of two Go engines that speak GTP, with GNU Go as the scorer.

Engines pass with dead stones on the board, so the board as it stands would name the wrong winner in
many games: after two passes GNU Go (Chinese rules) is given the moves and asked for the score.

    referee.py --size 9 --komi 7.5 --games 40 --out results/NAME.jsonl \\
        --a "qiju-go --time 1 --threads 2" --b "gnugo --mode gtp --level 10 --chinese-rules"

One line of JSON a game is appended to the file; a match that was broken off goes on where it stopped.
`{seed}` in a command line is replaced by a number that differs from game to game. `--plies N` has the
first N moves drawn at random (by the number of the game), each opening being played twice with
colours changed. Needs Python 3.9 and the program `gnugo`; nothing else.
"""

import argparse
import json
import math
import os
import random
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
GNUGO = "/usr/games/gnugo" if os.path.exists("/usr/games/gnugo") else "gnugo"


class EngineError(Exception):
    """An engine refused a command or went away."""


class Engine:
    """An engine behind a pipe."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.seconds = 0.0
        self.moves = 0

    def ask(self, command):
        """Sends a command; its answer without the sign."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise EngineError(f"{self.command}: gone at {command!r}") from error
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EngineError(f"{self.command}: gone at {command!r}")
            line = line.rstrip("\r\n")
            if not line and lines:
                break
            if line or lines:
                lines.append(line)
        answer = "\n".join(lines)
        if not answer.startswith("="):
            raise EngineError(f"{self.command}: {command!r}: {answer}")
        return answer[1:].strip()

    def genmove(self, color):
        """A move, with the time that it took."""
        start = time.monotonic()
        answer = self.ask(f"genmove {color}").split()[0].lower()
        self.seconds += time.monotonic() - start
        self.moves += 1
        return answer

    def close(self):
        """Ends the engine."""
        try:
            self.process.stdin.write("quit\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def score(size, komi, moves):
    """GNU Go's word on a finished game: "B+3.5", "W+0.5" or "0"."""
    judge = Engine(f"{GNUGO} --mode gtp --chinese-rules --level 10")
    try:
        judge.ask(f"boardsize {size}")
        judge.ask(f"komi {komi}")
        for number, move in enumerate(moves):
            judge.ask(f"play {'bw'[number % 2]} {move}")
        return judge.ask("final_score")
    finally:
        judge.close()


def play_game(number, args):
    """Plays one game and says how it went."""
    seed = args.seed + number
    a_is_black = number % 2 == 0
    commands = [args.a, args.b] if a_is_black else [args.b, args.a]
    engines = [Engine(command.replace("{seed}", str(seed))) for command in commands]
    moves, result, why = [], None, "score"
    opening = random.Random(args.seed + number // 2)
    try:
        for engine in engines:
            engine.ask(f"boardsize {args.size}")
            engine.ask("clear_board")
            engine.ask(f"komi {args.komi}")
        # Above this no game is under way any more.
        limit = 3 * args.size * args.size
        passes = 0
        while passes < 2 and len(moves) < limit:
            turn = len(moves) % 2
            color = "bw"[turn]
            if len(moves) < args.plies:
                low, high = 3, args.size - 2
                while True:
                    move = COLUMNS[opening.randint(low, high) - 1] + str(opening.randint(low, high))
                    move = move.lower()
                    if move not in moves:
                        break
                engines[turn].ask(f"play {color} {move}")
            else:
                move = engines[turn].genmove(color)
            if move == "resign":
                result, why = ("W+R" if turn == 0 else "B+R"), "resignation"
                break
            try:
                engines[1 - turn].ask(f"play {color} {move}")
            except EngineError as error:
                result, why = ("W+R" if turn == 0 else "B+R"), f"illegal move {move}: {error}"
                break
            moves.append(move)
            passes = passes + 1 if move == "pass" else 0
        if result is None and len(moves) >= limit:
            why = "score after too many moves"
        if result is None:
            result = score(args.size, args.komi, moves)
    except EngineError as error:
        result, why = "?", str(error)
    finally:
        for engine in engines:
            engine.close()
    black_won, white_won = result.startswith("B"), result.startswith("W")
    a_won = black_won if a_is_black else white_won
    b_won = white_won if a_is_black else black_won
    a, b = engines if a_is_black else reversed(engines)
    return {
        "game": number,
        "black": "a" if a_is_black else "b",
        "winner": "a" if a_won else "b" if b_won else None,
        "result": result,
        "why": why,
        "seconds_a": round(a.seconds, 1),
        "seconds_b": round(b.seconds, 1),
        "moves_a": a.moves,
        "moves_b": b.moves,
        "moves": " ".join(moves),
    }


def wilson(won, games, z=1.96):
    """The 95 % interval of a share (Wilson, 1927)."""
    if games == 0:
        return 0.0, 1.0
    share = won / games
    centre = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    divisor = 1 + z * z / games
    return (centre - spread) / divisor, (centre + spread) / divisor


def summary(games):
    """The match so far in one line."""
    decided = [game for game in games if game["winner"]]
    won = sum(game["winner"] == "a" for game in decided)
    low, high = wilson(won, len(decided))
    seconds = sum(game["seconds_a"] for game in games) / max(1, sum(game["moves_a"] for game in games))
    share = 100 * won / max(1, len(decided))
    return (
        f"A won {won} of {len(decided)}: {share:.0f} % (95 %: {100 * low:.0f}–{100 * high:.0f} %), "
        f"{seconds:.2f} s a move; not decided: {len(games) - len(decided)}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True, help="command line of engine A")
    parser.add_argument("--b", required=True, help="command line of engine B")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--plies", type=int, default=0, help="random moves at the start")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time")
    parser.add_argument("--out", required=True, help="JSON lines, appended to")
    args = parser.parse_args()

    setting = {"a": args.a, "b": args.b, "size": args.size, "komi": args.komi, "plies": args.plies, "seed": args.seed}
    games = []
    if os.path.exists(args.out):
        with open(args.out, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        if lines and lines[0].get("setting") != setting:
            sys.exit(f"{args.out}: holds another match: {lines[0].get('setting')}")
        games = [line for line in lines if "game" in line]
    else:
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(json.dumps({"setting": setting}) + "\n")
    done = {game["game"] for game in games}
    wanted = [number for number in range(args.games) if number not in done]
    with ThreadPoolExecutor(args.jobs) as pool:
        for game in pool.map(lambda number: play_game(number, args), wanted):
            games.append(game)
            with open(args.out, "a", encoding="utf-8") as file:
                file.write(json.dumps(game) + "\n")
            print(f"game {game['game']}: {game['result']} ({game['why']}), black: {game['black']}", flush=True)
            print(summary(games), flush=True)
    print(summary(games))


if __name__ == "__main__":
    main()
