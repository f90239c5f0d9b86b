/** Names that are refused. Their spellings are in the corpus of hostile paths: test/hostile/paths.test.ts. */
import { describe, expect, it, test } from 'vitest';
import {
  isGitName,
  isOtherOnWindows,
  isPlainName,
  isSecretName,
  isStateName,
} from '../../../../src/core/guard/hiddenNames.ts';
import { DEVICES, GIT_NAMES, STATE_NAMES } from '../../../support/hostilePaths/corpus.ts';
import { fc } from '../../../support/suite/property.ts';

describe('a short name of Windows', () => {
  it.each(['GIT~1', 'git~4', 'GI7EB1~1', 'gi00ff~9'])('%s may be that of .git', (name) =>
    expect(isGitName(name)).toBe(true),
  );
  it.each(['AUTONO~1', 'autono~3', 'AU12CD~2'])('%s may be that of .autonomous', (name) =>
    expect(isStateName(name)).toBe(true),
  );
  it.each(['ENV~1', 'env~2.loc', 'EN0A1B~1', 'ENVRC~1'])('%s may be that of .env or .envrc', (name) =>
    expect(isSecretName(name)).toBe(true),
  );
  it.each(['git~', 'git~10', 'gitx~1', 'auto~1', 'envy~1', 'gizzzz~1'])('%s is another one', (name) =>
    expect([isGitName, isStateName, isSecretName].some((is) => is(name))).toBe(false),
  );
});

test('what is protected stays so with whatever a file system leaves out of a name', () => {
  const left = fc.constantFrom('\u200b', '\u200c', '\u2060', '\ufeff', '\u00ad', '\u3164');
  const end = fc.constantFrom('', '.', ' ', '. .', ':s', '::$DATA', '::$INDEX_ALLOCATION');
  const known = fc.oneof(fc.constantFrom(...GIT_NAMES), fc.constantFrom(...STATE_NAMES));
  fc.assert(
    fc.property(known, left, fc.nat({ max: 4 }), end, fc.boolean(), (name, character, at, ending, isLarge) => {
      const plain = name.slice(0, at) + character + name.slice(at);
      const text = (isLarge ? plain.toUpperCase() : plain.normalize('NFD')) + ending;
      expect(isGitName(text) || isStateName(text)).toBe(true);
    }),
  );
});

test('a device is one with any extension, in any case, and in no folder of ours', () => {
  const extension = fc.constantFrom('', '.txt', '.tar.gz', ' .md', '.');
  fc.assert(
    fc.property(fc.constantFrom(...DEVICES), extension, fc.boolean(), (name, ending, isSmall) => {
      const text = (isSmall ? name.toLowerCase() : name) + ending;
      expect(isOtherOnWindows(text)).toBe(true);
      expect(isPlainName(text)).toBe(false);
    }),
  );
});

it.each(['SKILL.md', 'console', 'nul-1.md', 'COM10', 'é', 'a b', '.hidden'])('%s is a plain name', (name) =>
  expect(isPlainName(name)).toBe(true),
);
it.each(['', '.', '..', 'a/b', 'a\\b', 'a\0', 'C:', 'a:s', 'con', 'nul.md', 'a.', 'a ', 'a?', 'x'.repeat(256)])(
  '%j is not',
  (name) => expect(isPlainName(name)).toBe(false),
);
