/** What a project may be called: its name is a folder's, on every file system. */
import { describe, expect, it } from 'vitest';
import { checkProjectName } from '../../../../src/engine/project/names.ts';

describe('the name of a project', () => {
  it.each(['a', '7', 'api-migration', 'a--b', 'x'.repeat(64)])('is taken: %s', (name) => {
    expect(checkProjectName(name)).toBe(name);
  });

  it.each([
    ['nothing', ''],
    ['the folder itself', '.'],
    ['the folder above', '..'],
    ['a way out', '../../etc'],
    ['a folder in a folder', 'a/b'],
    ['a separator of Windows', 'a\\b'],
    ['an absolute path', '/api'],
    ['a drive', 'c:api'],
    ['a hidden folder', '.api'],
    ['an end in a point', 'api.'],
    ['an end in a hyphen', 'api-'],
    ['an option', '-rf'],
    ['capitals, which are another name on one system and the same on the next', 'API'],
    ['a NUL', 'api\0'],
    ['a new line', 'api\n'],
    ['a space', 'my api'],
    ['letters that look alike', 'аpi'],
    ['a direction', '\u202eapi'],
    ['65 letters', 'x'.repeat(65)],
    ['a prototype', '__proto__'],
  ])('is not %s', (_, name) => {
    expect(() => checkProjectName(name)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('a-z, 0-9 and hyphens') }),
    );
  });

  it.each(['main', 'default', 'con', 'nul', 'com1', 'lpt9', 'nobody'])('is not one that is taken: %s', (name) => {
    expect(() => checkProjectName(name)).toThrow(`the name ${name} is taken`);
  });

  it.each([
    ['My API', 'my-api'],
    ['../Über uns', 'uber-uns'],
    ['Main', 'main-project'],
    ['CON', 'con-project'],
    ['x'.repeat(99), 'x'.repeat(50)],
    ['日本', 'api-migration'],
  ])('is suggested from %s', (name, instead) => {
    expect(() => checkProjectName(name)).toThrow(expect.objectContaining({ hint: `Take for example: ${instead}.` }));
  });
});
