/** Opens the workspaces of this machine for the editor, with the facilities of its process. */
import { withEditorsRipgrep } from '../../adapters/shell/process/executables.ts';
import { environmentOutside } from '../../adapters/shell/process/searchPath.ts';
import type { Workspaces } from '../../engine/workspace/workspace.ts';
import { openWorkspaces, type Surface } from './workspace.ts';

export interface EditorWorld extends Omit<Surface, 'envOutside'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the editor's files. */
  readonly appRoot: string;
}

export function editorWorkspaces({ appRoot, env, ...own }: EditorWorld): Workspaces {
  const withRipgrep = withEditorsRipgrep(env, appRoot);
  return openWorkspaces({ ...own, envOutside: (folders) => environmentOutside(withRipgrep, folders) });
}
