/** The libraries of other wires are a chunk of their own, which a user of Anthropic alone never loads. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const files = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts'));
const importing = (words: RegExp): string[] => files.filter((file) => words.test(readFileSync(file, 'utf8')));

it('are imported by that chunk alone, and the chunk by one dynamic import', () => {
  const libraries = importing(/from '(?:@ai-sdk\/|jsonrepair)/);
  expect(libraries.length).toBeGreaterThan(2);
  expect(libraries.filter((file) => !file.startsWith('src/adapters/gateway/wire/sdk/'))).toEqual([]);
  const outside = importing(/['"/]sdk\/\w+\.ts'/);
  expect(outside).toEqual(['src/adapters/gateway/wire/connectionProvider.ts']);
  const [chunk = ''] = outside;
  expect(readFileSync(chunk, 'utf8')).toMatch(/await import\('\.\/sdk\/sdkWire\.ts'\)/);
  expect(readFileSync(chunk, 'utf8')).not.toMatch(/from '\.\/sdk\//);
});

it('the catalogue of prices is loaded only for a connection of the user', () => {
  const statically = importing(/from '[./\w]*price\/catalogue\.ts'/);
  expect(statically).toEqual([]);
  expect(importing(/import\('[./\w]*price\/catalogue\.ts'\)/).length).toBeGreaterThan(2);
});
