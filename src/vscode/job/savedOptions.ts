/**
 * The options of each unsent brief, kept across a reload like the brief. Without them, a brief with the simulated provider would return with the
 * provider and the budget of the settings.
 */
import type { Memento } from 'vscode';
import type { BriefOptions } from './brief/briefOptions.ts';

const KEPT = 'autonomous.briefOptions';

type ByPath = Readonly<Record<string, BriefOptions>>;

export interface SavedOptions {
  of(path: string): BriefOptions;
  keep(path: string, options: BriefOptions): Promise<void>;
  drop(path: string): Promise<void>;
}

export function savedOptions(memory: Memento): SavedOptions {
  const all = (): ByPath => memory.get<ByPath>(KEPT, {});
  return {
    of: (path) => all()[path] ?? {},
    keep: async (path, options) => {
      await memory.update(KEPT, { ...all(), [path]: options });
    },
    drop: async (path) => {
      const { [path]: gone, ...rest } = all();
      if (gone !== undefined) await memory.update(KEPT, rest);
    },
  };
}
