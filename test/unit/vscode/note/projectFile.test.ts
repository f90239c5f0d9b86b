import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFile } from '../../../../src/vscode/note/projectFile.ts';

const top = path.resolve('/home/me/project');

describe('a file of the project', () => {
  it('is named from the top folder, with slashes', () => {
    expect(projectFile(top, path.join(top, 'src', 'a.ts'))).toBe('src/a.ts');
    expect(projectFile(top, path.join(top, '..b', 'a.ts'))).toBe('..b/a.ts');
  });

  it('is none outside the folder, or without one', () => {
    expect(projectFile(top, path.resolve('/home/me/project2/a.ts'))).toBeNull();
    expect(projectFile(top, top)).toBeNull();
    expect(projectFile(null, path.join(top, 'a.ts'))).toBeNull();
  });
});
