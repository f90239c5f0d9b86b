/** Stores the whole output of a command in a file of its session if it is longer than the shown part. */
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '../../../engine/session/commandPorts.ts';
import { errnoOf } from '../../../shared/errors.ts';
import { rmSync } from '../../platform/heldFiles.ts';

export interface OutputFile {
  add(chunk: Buffer): void;
  /** Returns the same as `end`, while more output may follow. */
  soFar(): CommandResult['kept'];
  /** Closes the file; undefined if none was written, because the output was short or the disk refused it. */
  end(): CommandResult['kept'];
}

interface Bounds {
  /** Bytes up to which no file is written. */
  readonly over: number;
  readonly maxBytes?: number;
}

/** The largest file whose lines `read` counts. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Number of files that a session keeps. */
const MAX_FILES = 20;
const SUFFIX = '.txt';

/** Removes the oldest files, which have the lowest numbers. Files with other names stay. */
function makeRoom(folder: string): void {
  const numbers = readdirSync(folder)
    .map((name) => Number(name.slice(0, -SUFFIX.length)))
    .filter((number) => Number.isInteger(number));
  for (const number of numbers.toSorted((a, b) => b - a).slice(MAX_FILES - 1))
    rmSync(join(folder, `${number}${SUFFIX}`), { force: true });
}

/** `folder`: no command can write it. `name`: a number larger than those of earlier files, or a name whose file stays. */
export function outputFile(folder: string, name: number | string, { over, maxBytes = MAX_BYTES }: Bounds): OutputFile {
  const path = join(folder, `${name}${SUFFIX}`);
  let held: Buffer[] = [];
  let total = 0;
  let written = 0;
  let file: number | null = null;
  let isRefused = false;

  function write(chunk: Buffer): void {
    if (file === null) {
      makeRoom(folder);
      file = openSync(path, 'wx', 0o600);
    }
    const part = chunk.subarray(0, maxBytes - written);
    for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    written += part.length;
  }

  const soFar = (): CommandResult['kept'] =>
    file === null || isRefused ? undefined : { path, bytes: total, isWhole: written === total };

  return {
    add(chunk) {
      total += chunk.length;
      if (isRefused) return;
      held.push(chunk);
      if (total <= over) return;
      try {
        for (const each of held) write(each);
        held = [];
      } catch (thrown) {
        // A full disk affects neither the command nor the output that is shown.
        if (errnoOf(thrown) === undefined) throw thrown;
        isRefused = true;
        held = [];
      }
    },
    soFar,
    end() {
      if (file !== null) closeSync(file);
      return soFar();
    },
  };
}
