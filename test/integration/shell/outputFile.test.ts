import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outputFile } from '../../../src/adapters/shell/session/outputFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'autonomous-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function keep(number: number, chunks: readonly string[], bounds = { over: 10, maxBytes: 100 }) {
  const file = outputFile(folder, number, bounds);
  for (const chunk of chunks) file.add(Buffer.from(chunk));
  return file.end();
}

it('writes nothing for a short output', () => {
  expect(keep(1, ['01234', '56789'])).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps all of a longer one, from its first byte on', () => {
  expect(keep(1, ['01234', '56789', 'x', 'yz'])).toEqual({ path: join(folder, '1.txt'), bytes: 13, isWhole: true });
  expect(readFileSync(join(folder, '1.txt'), 'utf8')).toBe('0123456789xyz');
});

it('keeps the beginning of what is too long, and says how long it was', () => {
  expect(keep(1, ['a'.repeat(60), 'b'.repeat(60), 'c'.repeat(60)])).toMatchObject({ bytes: 180, isWhole: false });
  expect(readFileSync(join(folder, '1.txt'), 'utf8')).toBe('a'.repeat(60) + 'b'.repeat(40));
});

it('keeps the newest files of a session', () => {
  for (let number = 1; number <= 25; number++) keep(number, [`${number}`.padStart(20, '0')]);
  const numbers = readdirSync(folder).map((name) => Number.parseInt(name, 10));
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 6));
});

it('gives none where the disk refuses it, or something is in its place', () => {
  const elsewhere = join(folder, 'theirs');
  writeFileSync(elsewhere, 'theirs');
  symlinkSync(elsewhere, join(folder, '1.txt'));
  expect(keep(1, ['a'.repeat(60)])).toBeUndefined();
  expect(readFileSync(elsewhere, 'utf8')).toBe('theirs');
  rmSync(folder, { recursive: true });
  expect(keep(2, ['a'.repeat(60), 'b'])).toBeUndefined();
});
