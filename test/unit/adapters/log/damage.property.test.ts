import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineSeal } from '../../../../src/adapters/log/seal.ts';
import { parseSegment } from '../../../../src/adapters/log/segment.ts';
import { open, openLog, type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';
import { unsyncedFiles } from '../../../support/state/unsyncedFiles.ts';
import { amount } from '../../../support/suite/proof.ts';
import { fc } from '../../../support/suite/property.ts';

const NAME = { file: '1-1.jsonl', epoch: 1, n: 1 };
const project = (id: string) => ({ type: 'project_created', project: { id, model: null, workdir: null } }) as const;

/** One segment with a header and seven events, as an owner wrote it. */
async function written(folder: StateFolder): Promise<Buffer> {
  const store = await open(folder);
  for (const id of ['a', 'b', 'ü', 'd', 'e', 'f']) await store.commit(project(id));
  await store.close();
  return readFileSync(join(folder.stateDir, 'events', NAME.file));
}

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split('\n');
const seqOf = (line: string) => (JSON.parse(line) as { seq?: number }).seq;

/** Sequence numbers of the event lines of `original` that stand whole in `damaged`. */
function intact(original: Buffer, damaged: Buffer): number[] {
  const known = new Set(linesOf(original).filter((line) => line !== ''));
  return linesOf(damaged).flatMap((line) => (known.has(line) ? (seqOf(line) ?? []) : []));
}

/** Puts the bytes in the place of the log, reads it, goes on with it, and reads that. */
async function survives(folder: StateFolder, original: Buffer, damaged: Buffer): Promise<void> {
  using copy = stateFolder();
  const place = { ...copy, key: folder.key };
  mkdirSync(join(copy.stateDir, 'events'), { recursive: true });
  writeFileSync(join(copy.stateDir, 'events', NAME.file), damaged);
  const expected = intact(original, damaged);
  const log = await openLog(place, { ops: unsyncedFiles });
  const read = await log.read(null);
  expect(read.events.map(({ seq }) => seq)).toEqual(expected);
  if (expected.length < 7 && damaged.length > 0 && !damaged.equals(original.subarray(0, damaged.length))) {
    expect(read.problems.length).toBeGreaterThan(0);
  }
  if (read.origin === 'foreign') return;
  await log.claim();
  const again = await log.read(null);
  const seq = (again.end?.seq ?? 0) + 1;
  const at = '2026-01-01T00:00:00.000Z';
  const epoch = Number(readdirSync(join(copy.stateDir, 'epoch'))[0]);
  await log.append([{ ...project('next'), seq, epoch, at }], again.end);
  await log.close();
  const after = await (await openLog(place)).read(null);
  expect(after.events.map((event) => event.seq)).toEqual([...expected, seq]);
}

describe('a damaged segment loads every intact record, and the next append is intact', () => {
  it('cut at every byte', async () => {
    using folder = stateFolder();
    const original = await written(folder);
    const seal = lineSeal(folder.key, 'events');
    for (let length = 0; length <= original.length; length++) {
      const cut = original.subarray(0, length);
      const segment = parseSegment(NAME, cut, seal);
      expect(segment.lines.map(({ event }) => event.seq)).toEqual(intact(original, cut));
      const unfinished = length > 0 && cut.at(-1) !== 10 && !linesOf(original).includes(linesOf(cut).at(-1) ?? '');
      expect(segment.problems.map(({ what }) => what)).toEqual(unfinished ? ['unfinished line'] : []);
    }
  });

  it('cut, padded with NUL, or with flipped bits', async () => {
    using folder = stateFolder();
    const original = await written(folder);
    const at = fc.nat(original.length - 1);
    const damage = fc.oneof(
      at.map((length) => original.subarray(0, length)),
      fc.tuple(at, fc.nat(300)).map(([cut, count]) => Buffer.concat([original.subarray(0, cut), Buffer.alloc(count)])),
      fc
        .tuple(at, fc.nat(300))
        .map(([from, count]) => Buffer.from(original).fill(0, from, Math.min(from + count, original.length))),
      fc.array(fc.tuple(at, fc.nat(7)), { minLength: 1, maxLength: 4 }).map((flips) => {
        const bytes = Buffer.from(original);
        for (const [index, bit] of flips) bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        return bytes;
      }),
    );
    await fc.assert(
      fc.asyncProperty(damage, (damaged) => survives(folder, original, Buffer.from(damaged))),
      { numRuns: amount({ short: 40, long: 5000 }) },
    );
  });
});
