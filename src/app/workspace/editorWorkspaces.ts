/** Opens the workspaces of this machine for the editor, with the facilities of its process. */
import { ownEnvironment } from '../../adapters/platform/platform.ts';
import { withEditorsRipgrep } from '../../adapters/platform/ripgrep.ts';
import { environmentOutside } from '../../adapters/platform/searchPath.ts';
import type { Workspaces } from '../../engine/workspace/workspace.ts';
import { openWorkspaces, type Surface } from './workspace.ts';

export interface EditorWorld extends Omit<Surface, 'envOutside'> {
  /** Folder of the editor's files. */
  readonly appRoot: string;
}

export function editorWorkspaces({ appRoot, ...own }: EditorWorld): Workspaces {
  const withRipgrep = withEditorsRipgrep(ownEnvironment(), appRoot);
  return openWorkspaces({ ...own, envOutside: (folders) => environmentOutside(withRipgrep, folders) });
}
