import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contributes } from '../../../src/vscode/contributions.ts';
import { languageModelTools } from '../../../src/vscode/main/toolContributions.ts';
import { COMMANDS } from '../../../src/vscode/words/commandList.ts';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly contributes: ReturnType<typeof contributes>;
};
const settings = Object.entries(Object.assign({}, ...contributes().configuration.map((group) => group.properties)));

describe('what the extension adds to the editor', () => {
  it('is in package.json as declared: else run `npm run contributions`', () => {
    const declared = { ...contributes(), languageModelTools: languageModelTools() };
    expect(manifest.contributes).toEqual(JSON.parse(JSON.stringify(declared)));
  });

  it('is in docs/editor.md as declared: else run `npx node scripts/editor-docs.mjs`', () => {
    const script = fileURLToPath(new URL('../../../scripts/editor-docs.mjs', import.meta.url));
    expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
  });

  it('names every command once', () => {
    const ids = COMMANDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('uses only declared commands in menus', () => {
    const declared = new Set<string>(COMMANDS.map(({ id }) => id));
    const used = Object.values(contributes().menus).flatMap((items) => items.map(({ command }) => command));
    expect(used.filter((command) => !declared.has(command))).toEqual([]);
  });

  it('keeps what costs, sends or approves out of the reach of a repository', () => {
    const guarded = /limits|baseUrl|gates|models|provider|allowedCommands|mergeMode|jobsDir|executors/;
    const open = settings.filter(([name, of]) => guarded.test(name) && (of as { scope: string }).scope !== 'machine');
    expect(open.map(([name]) => name)).toEqual([]);
  });

  it('binds at most four keys, each only where something of ours has the focus, and none that approves', () => {
    const { keybindings } = contributes();
    const declared = new Map<string, string>(COMMANDS.map(({ id, enablement }) => [id, enablement]));
    expect(keybindings.length).toBeLessThanOrEqual(4);
    for (const { command, key, when } of keybindings) {
      expect(declared.has(command)).toBe(true);
      expect(command).not.toMatch(/approve|reject|accept|merge/i);
      expect(key).toMatch(/^ctrl\+/);
      expect(when).toMatch(/focusedView == autonomous\.|resourcePath in autonomous\.briefs/);
    }
  });

  it('keeps its own files out of search and watching', () => {
    const { 'search.exclude': search, 'files.watcherExclude': watched } = contributes().configurationDefaults;
    const hides = (patterns: object, path: string): boolean =>
      Object.keys(patterns).some((pattern) => matchesGlob(path, pattern));
    expect(hides(search, 'work/.autonomous')).toBe(true);
    for (const name of [
      'events/1-1.jsonl',
      'epoch/3',
      'sessions/3.1.jsonl',
      'artifacts/ab12',
      'features.db',
      'features.db.tmp',
    ])
      expect(hides(watched, `work/.autonomous/${name}`), name).toBe(true);
    expect(hides(watched, 'work/events/a.ts')).toBe(false);
  });

  it('describes every choice of a setting', () => {
    const bare = settings.filter(([, value]) => {
      const { enum: choices, enumDescriptions } = value as { enum?: string[]; enumDescriptions?: string[] };
      return choices !== undefined && choices.length !== enumDescriptions?.length;
    });
    expect(bare).toEqual([]);
  });
});
