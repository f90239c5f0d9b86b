/** Reads and appends a file with one JSON object per line. */
import { dirname } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../../../core/text/json.ts';
import type { FileOps } from '../../../engine/state/storePorts.ts';

export interface JsonLines<T> {
  readonly all: readonly T[];
  /** Durable when it resolves. */
  add(record: T): Promise<void>;
}

/** Creates nothing. Lines that are not whole, because a write was interrupted, are left out. */
export async function readLines<T>(path: string, schema: z.ZodType<T>, ops: FileOps): Promise<T[]> {
  return wholeLines(await textOf(path, ops), schema);
}

/** Lines that are not whole are left out. */
export async function openLines<T>(path: string, schema: z.ZodType<T>, ops: FileOps): Promise<JsonLines<T>> {
  const text = await textOf(path, ops);
  const all = wholeLines(text, schema);
  let isWhole = text === '' || text.endsWith('\n');
  const add = async (record: T): Promise<void> => {
    const file = await ops.openAppend(path);
    try {
      let rest: Uint8Array = Buffer.from(`${isWhole ? '' : '\n'}${JSON.stringify(record)}\n`);
      isWhole = false;
      while (rest.length > 0) rest = rest.subarray(await file.write(rest));
      await file.sync();
      isWhole = true;
    } finally {
      await file.close();
    }
    await ops.syncDir(dirname(path));
    all.push(record);
  };
  return { all, add };
}

const textOf = async (path: string, ops: FileOps): Promise<string> =>
  Buffer.from((await ops.read(path)) ?? []).toString('utf8');

function wholeLines<T>(text: string, schema: z.ZodType<T>): T[] {
  return text.split('\n').flatMap((line) => {
    const read = schema.safeParse(parseJson(line));
    return read.success ? [read.data] : [];
  });
}
