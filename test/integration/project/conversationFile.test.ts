import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openConversation } from '../../../src/adapters/files/conversationFile.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import type { FileOps } from '../../../src/engine/state/storePorts.ts';
import { faultyFiles } from '../../support/state/faultyFiles.ts';
import { type StateFolder, stateFolder } from '../../support/state/stateFolder.ts';
import { fc } from '../../support/suite/property.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';

const made: StateFolder[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one[Symbol.dispose]();
});

/** A journal's folder, opened by the owner of some epoch. */
function session() {
  const state = stateFolder();
  made.push(state);
  const folder = join(state.root, 'session');
  const clock = new FakeClock();
  return {
    folder,
    current: join(folder, 'current.jsonl'),
    open: (epoch = 1, ops: FileOps = nodeFiles, projectId = 'api') =>
      openConversation({ folder, projectId, epoch, ops, seal: lineSeal(state.key, 'transcript'), clock }),
  };
}

const spec = { role: 'project', model: 'm', system: 's', opening: 'o', maxTokens: 1 } as const;
const opening: TranscriptEntry = { kind: 'opening', spec, checkpoint: null, messages: [1] };
const user = (id: number, text = `message ${id}`): TranscriptEntry => ({ kind: 'user', text, messages: [id] });
const shortened: TranscriptEntry = { kind: 'compacted', messages: [], upTo: 7, atRest: true };

describe('the file of a conversation', () => {
  it('keeps what was appended, by one owner after the other, and the highest message', async () => {
    const { open } = session();
    const first = await open(1);
    await first.append(opening);
    await first.append(user(2));
    await first.close();
    const second = await open(2);
    await second.append(user(5));
    await second.close();

    const third = await open(3);
    expect(third.entries).toEqual([opening, user(2), user(5)]);
    expect(third.heldUpTo).toBe(5);
    expect(third.problems).toEqual([]);
  });

  it('takes no line of an owner that was superseded, and none of another project or key', async () => {
    const one = session();
    const old = await one.open(1);
    await old.append(opening);
    const next = await one.open(2);
    await next.append(user(2));
    await old.append(user(3));
    await next.append(user(4));
    await old.close();
    await next.close();

    const read = await one.open(3);
    expect(read.entries).toEqual([opening, user(2), user(4)]);
    expect(read.problems).toEqual([{ file: 'current.jsonl', line: 3, what: 'line of an owner that was superseded' }]);
    expect((await one.open(3, nodeFiles, 'web')).entries).toEqual([]);
    const other = session();
    mkdirSync(other.folder);
    writeFileSync(other.current, readFileSync(one.current));
    const foreign = await other.open();
    expect(foreign.entries).toEqual([]);
    expect(foreign.heldUpTo).toBe(0);
  });

  it('holds every entry that was acknowledged, once, whatever a crash leaves at its end', async () => {
    const { open, current } = session();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ more: fc.integer({ min: 1, max: 3 }), tail: tails() }), { minLength: 1, maxLength: 4 }),
        async (lives) => {
          writeIfThere(current);
          let id = 0;
          const said: number[] = [];
          for (const [epoch, { more, tail }] of lives.entries()) {
            const journal = await open(epoch + 1);
            expect(idsOf(journal.entries)).toEqual(said);
            for (let left = more; left > 0; left--) {
              await journal.append(user(++id));
              said.push(id);
            }
            // A line that was on its way and never acknowledged: cut anywhere, then garbage.
            await journal.close();
            const whole = readFileSync(current);
            const line = whole.subarray(whole.lastIndexOf(10, whole.length - 2) + 1, whole.length - 1);
            appendFileSync(
              current,
              Buffer.concat([line.subarray(0, Math.floor(line.length * tail.cut)), tail.garbage]),
            );
          }
          const read = await open(lives.length + 1);
          expect(idsOf(read.entries)).toEqual(said);
          expect(read.heldUpTo).toBe(id);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('survives runs of NUL, a million lines of garbage and a line of ten megabytes', async () => {
    const { open, current, folder } = session();
    const journal = await open();
    await journal.append(opening);
    await journal.close();
    mkdirSync(folder, { recursive: true });
    appendFileSync(current, Buffer.alloc(3_000_000));
    appendFileSync(current, '{"project":"api"}\n'.repeat(1_000_000));
    appendFileSync(current, `${'x'.repeat(10_000_000)}\n`);
    const second = await open(2);
    await second.append(user(2));
    await second.close();

    const read = await open(3);
    expect(read.entries).toEqual([opening, user(2)]);
    expect(read.problems.length).toBeLessThan(30);
    expect(read.problems.at(-1)?.what).toMatch(/more lines that were left out/);
  });

  it('begins the next line anew after a write that failed in the middle', async () => {
    const { open } = session();
    const faulty = faultyFiles();
    const journal = await open(1, faulty.ops);
    await journal.append(opening);
    faulty.arm(1, 'half');
    await expect(journal.append(user(2))).rejects.toMatchObject({ code: 'DISK' });
    await journal.append(user(3));
    await journal.close();

    expect((await open(2)).entries).toEqual([opening, user(3)]);
  });

  it('begins anew with what it was shortened to, and keeps the older part in a dated file', async () => {
    const { open, folder } = session();
    const journal = await open();
    await journal.append(opening);
    await journal.append(user(7));
    await journal.restart([opening, shortened]);
    await journal.append(user(8));
    await journal.close();

    expect(readdirSync(folder).sort()).toEqual(['2026-11-21T12-00-00.000Z.jsonl', 'current.jsonl']);
    const read = await open(2);
    expect(read.entries).toEqual([opening, shortened, user(8)]);
    expect(read.heldUpTo).toBe(8);
    await read.restart([opening, shortened]);
    expect(readdirSync(folder)).toContain('2026-11-21T12-00-00.000Z.2.jsonl');
  });

  it('is whole whenever a kill comes while it is shortened', async () => {
    for (let nth = 1; ; nth++) {
      const { open, folder } = session();
      const faulty = faultyFiles();
      const journal = await open(1, faulty.ops);
      await journal.append(opening);
      await journal.append(user(7));
      faulty.arm(nth, 'EIO');
      const failed = await journal.restart([opening, shortened]).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      const read = await open(2);
      expect([
        [opening, user(7)],
        [opening, shortened],
      ]).toContainEqual(read.entries);
      expect(read.heldUpTo).toBe(7);
      await read.append(user(8));
      await read.close();
      expect((await open(3)).entries.at(-1)).toEqual(user(8));
      expect(readdirSync(folder).filter((name) => name.startsWith('next.'))).toEqual([]);
      expect(nth).toBeLessThan(20);
    }
  });

  it('refuses a link, or a file where the folder belongs', async () => {
    const linked = session();
    mkdirSync(linked.folder);
    symlinkSync('/etc/hostname', linked.current);
    await expect(linked.open()).rejects.toMatchObject({ code: 'STATE_DAMAGED' });
    const taken = session();
    writeFileSync(taken.folder, '');
    await expect(taken.open()).rejects.toMatchObject({ code: 'STATE_DAMAGED' });
  });
});

function tails() {
  return fc.record({
    cut: fc.double({ min: 0, max: 0.999, noNaN: true }),
    garbage: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('', '\n', '\n\n{', '\0\0\0', '{"project":"api","epoch":99').map((text) => Buffer.from(text)),
    ),
  });
}

function idsOf(entries: readonly TranscriptEntry[]): number[] {
  return entries.flatMap((entry) => (entry.kind === 'user' ? [...(entry.messages ?? [])] : []));
}

function writeIfThere(path: string): void {
  if (existsSync(path)) writeFileSync(path, '');
}
