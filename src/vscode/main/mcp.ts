/** Offers the MCP server of this folder to the editor: `autonomous mcp`, run by the editor's own Node. */
import * as vscode from 'vscode';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';

const MCP_PROVIDER = 'autonomous.mcp';

export function registerMcp(context: HostContext): vscode.Disposable {
  if (typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function') return vscode.Disposable.from();
  const changed = new vscode.EventEmitter<void>();
  let before = folderOf(context);
  const look = (): void => {
    const now = folderOf(context);
    if (now === before) return;
    before = now;
    changed.fire();
  };
  return vscode.Disposable.from(
    changed,
    context.engine.onDidChange(look),
    vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => {
        if (context.engine.current === null) await context.engine.look();
        const folder = folderOf(context);
        return folder === null ? [] : [serverFor(context, folder)];
      },
    }),
  );
}

/** Returns null if this window may not run anything. */
function folderOf({ engine }: HostContext): string | null {
  return engine.blocker === null ? engine.projectDir : null;
}

function serverFor({ extension }: HostContext, folder: string): vscode.McpStdioServerDefinition {
  const program = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
  const jobsDir = setting.jobsDir();
  const server = new vscode.McpStdioServerDefinition(
    'Autonomous',
    // On the desktop, execPath is Electron, which runs as Node only with this variable. On a server it is Node.
    process.execPath,
    [program, 'mcp', '--project-dir', folder],
    { ELECTRON_RUN_AS_NODE: '1', ...(jobsDir === null ? {} : { AUTONOMOUS_JOBS_DIR: jobsDir }) },
    String(extension.extension.packageJSON.version),
  );
  server.cwd = vscode.Uri.file(folder);
  return server;
}
