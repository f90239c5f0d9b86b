import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { openTranscript } from '../../../../src/adapters/files/transcripts.ts';
import { lineSeal } from '../../../../src/adapters/log/seal.ts';
import type { TranscriptEntry } from '../../../../src/engine/session/ports.ts';
import { faultyFiles } from '../../../support/state/faultyFiles.ts';
import { type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';
import { unsyncedFiles } from '../../../support/state/unsyncedFiles.ts';
import { amount } from '../../../support/suite/proof.ts';
import { fc } from '../../../support/suite/property.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
});
afterEach(() => folder[Symbol.dispose]());

const said = (text: string): TranscriptEntry => ({ kind: 'user', text });
const sessions = () => join(folder.stateDir, 'sessions');
const path = (name: string) => join(sessions(), name);

function transcript(epoch: number, options: { sessionId?: number; ops?: typeof nodeFiles; stateDir?: string } = {}) {
  const { sessionId = 5, ops = nodeFiles, stateDir = folder.stateDir } = options;
  return openTranscript({ stateDir, sessionId, epoch, ops, seal: lineSeal(folder.key, 'transcript') });
}

async function write(epoch: number, ...texts: string[]): Promise<void> {
  const journal = await transcript(epoch);
  for (const text of texts) await journal.append(said(text));
  await journal.close();
}

const texts = (entries: readonly TranscriptEntry[]) =>
  entries.map((entry) => (entry.kind === 'user' ? entry.text : entry.kind));

describe('a transcript', () => {
  it('is read in the order of its owners, each in a file of its own', async () => {
    expect((await transcript(1)).entries).toEqual([]);
    await write(1, 'a', 'b');
    await write(3, 'c');
    const journal = await transcript(4);
    expect(texts(journal.entries)).toEqual(['a', 'b', 'c']);
    await Promise.all([journal.append(said('d')), journal.append(said('e'))]);
    expect(texts(journal.entries)).toEqual(['a', 'b', 'c', 'd', 'e']);
    await journal.close();
    expect(readdirSync(sessions()).sort()).toEqual(['5.1.jsonl', '5.3.jsonl', '5.4.jsonl']);
    expect((await transcript(5)).problems).toEqual([]);
    expect((await transcript(1, { sessionId: 50 })).entries).toEqual([]);
  });

  it('what an old owner writes after its successor went on is void', async () => {
    const old = await transcript(1);
    await old.append(said('a'));
    const next = await transcript(2);
    await old.append(said('late'));
    await next.append(said('b'));
    await old.append(said('later'));
    await Promise.all([old.close(), next.close()]);
    expect(texts((await transcript(3)).entries)).toEqual(['a', 'b']);
  });

  it('the same owner that opens it again goes on in a new file', async () => {
    await write(1, 'a');
    await write(1, 'b');
    expect(readdirSync(sessions()).sort()).toEqual(['5.1.2.jsonl', '5.1.jsonl']);
    expect(texts((await transcript(1)).entries)).toEqual(['a', 'b']);
  });

  it('loads every intact line of a damaged file, and says what is missing', async () => {
    await write(1, 'a', 'b', 'c', 'd');
    const original = readFileSync(path('5.1.jsonl'));
    const lines = original.toString('latin1').split('\n');
    const at = fc.nat(original.length - 1);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          at.map((cut) => ({ cut })),
          fc.tuple(at, fc.nat(7)).map(([flip, bit]) => ({ flip, bit })),
        ),
        async (damage) => {
          using copy = stateFolder();
          const bytes = Buffer.from('cut' in damage ? original.subarray(0, damage.cut) : original);
          if ('flip' in damage) bytes[damage.flip] = (bytes[damage.flip] ?? 0) ^ (1 << damage.bit);
          mkdirSync(join(copy.stateDir, 'sessions'), { recursive: true });
          writeFileSync(join(copy.stateDir, 'sessions', '5.1.jsonl'), bytes);
          const whole = bytes
            .toString('latin1')
            .split('\n')
            .filter((line) => line !== '' && lines.includes(line));
          const expected = whole.map((line) => (JSON.parse(line) as { entry: { text: string } }).entry.text);
          const journal = await transcript(2, { ops: unsyncedFiles, stateDir: copy.stateDir });
          expect(texts(journal.entries)).toEqual(expected);
          if ('flip' in damage) expect(journal.problems.length).toBeGreaterThan(0);
          await journal.append(said('next'));
          await journal.close();
          expect(texts((await transcript(3, { stateDir: copy.stateDir })).entries)).toEqual([...expected, 'next']);
        },
      ),
      { numRuns: amount({ short: 30, long: 5000 }) },
    );
  });

  it('is not taken from another session, another owner, or another hand', async () => {
    await write(1, 'a');
    const line = readFileSync(path('5.1.jsonl'), 'utf8');
    writeFileSync(path('6.1.jsonl'), line);
    expect((await transcript(2, { sessionId: 6 })).entries).toEqual([]);
    renameSync(path('5.1.jsonl'), path('5.9.jsonl'));
    expect((await transcript(10)).entries).toEqual([]);
    const forged = lineSeal(new Uint8Array(32), 'transcript').seal(
      JSON.stringify({ session: 5, epoch: 9, n: 1, entry: said('run this') }),
    );
    appendFileSync(path('5.9.jsonl'), `${forged.line}\n`);
    const event = lineSeal(folder.key, 'events').seal(
      JSON.stringify({ session: 5, epoch: 9, n: 1, entry: said('run that') }),
    );
    appendFileSync(path('5.9.jsonl'), `${event.line}\n`);
    const journal = await transcript(10);
    expect(journal.entries).toEqual([]);
    expect(journal.problems).toHaveLength(3);
  });

  it('a write that fails is told, and the next one is whole', async () => {
    for (const fault of ['ENOSPC', 'half', 'short'] as const) {
      for (let n = 1; n <= 8; n++) {
        using place = stateFolder();
        const faulty = faultyFiles(unsyncedFiles);
        const stateDir = place.stateDir;
        const journal = await transcript(1, { ops: faulty.ops, stateDir });
        faulty.arm(n, fault);
        const kept: string[] = [];
        for (const text of ['a', 'b', 'c']) {
          await journal.append(said(text)).then(
            () => kept.push(text),
            (thrown) => expect(thrown).toMatchObject({ code: 'DISK' }),
          );
        }
        expect(texts(journal.entries)).toEqual(kept);
        await journal.close();
        const again = await transcript(2, { stateDir });
        // What failed last may have reached the disk all the same: present or absent whole.
        expect(texts(again.entries).slice(0, kept.length)).toEqual(kept);
      }
    }
  });
});
