/** The script that detects which tools are installed for commands, and the parser of its output. */
import type { MachineFacts } from '../../shared/job/rows.ts';

/** In the order of the output. */
const TOOLS = [
  ...['git', 'node', 'npm', 'pnpm', 'yarn', 'bun', 'deno', 'python3', 'python', 'pip', 'uv', 'poetry', 'go', 'cargo'],
  ...['rustc', 'java', 'mvn', 'gradle', 'ruby', 'bundle', 'php', 'composer', 'dotnet', 'gcc', 'clang', 'make', 'cmake'],
  ...['rg', 'jq', 'sqlite3', 'docker'],
] as const;
/**
 * Tools without a version: printing it starts a virtual machine, an interpreter with many modules, or a server. A shim of a package manager may even
 * download the tool.
 */
const WITHOUT_VERSION = new Set<string>(['npm', 'pnpm', 'yarn', 'pip', 'poetry', 'mvn', 'gradle', 'docker']);
const ARGUMENT: Readonly<Record<string, string>> = { go: 'version', java: '-version' };
const MAX_OS = 60;

const asked = TOOLS.map((tool) => `look ${tool} ${WITHOUT_VERSION.has(tool) ? '' : (ARGUMENT[tool] ?? '--version')}`);

/** Runs in bash and in any POSIX shell. Each tool has a few seconds if `timeout` is installed. All tools run in parallel. */
export const LOOK_SCRIPT = `
patience() { if command -v timeout >/dev/null 2>&1; then timeout 5 "$@"; else "$@"; fi; }
look() {
  tool=$1
  command -v "$tool" >/dev/null 2>&1 || return 0
  shift
  said=
  [ $# -eq 0 ] || said=$(patience "$tool" "$@" 2>&1 </dev/null | head -n 3 | tr '\\n\\t' '  ')
  printf 'tool\\t%s\\t%s\\n' "$tool" "$said"
}
printf 'os\\t%s\\t%s\\n' "$(uname -sm)" "$( (. /etc/os-release && printf %s "$PRETTY_NAME") 2>/dev/null)"
printf 'shell\\t%s\\n' "\${BASH_VERSION:+bash $BASH_VERSION}"
${asked.map((line) => `${line} &`).join('\n')}
wait
`.trim();

/** `output` may be cut. Only the first version number in a tool's output is used. */
export function readMachine(output: string, sandboxed: boolean): MachineFacts {
  const lines = output.split('\n').map((line) => line.split('\t'));
  const [, system = '', release = ''] = lines.find(([kind]) => kind === 'os') ?? [];
  const [, shell = ''] = lines.find(([kind]) => kind === 'shell') ?? [];
  const said = new Map(
    lines.flatMap(([kind, name = '', text = '']) => (kind === 'tool' ? [[name, text] as const] : [])),
  );
  return {
    sandboxed,
    os: [release, system]
      .map((text) => text.slice(0, MAX_OS))
      .filter((text) => text !== '')
      .join(', '),
    shell: shell === '' ? 'sh' : `bash ${versionIn(shell) ?? ''}`.trim(),
    tools: TOOLS.filter((name) => said.has(name) && !isSamePython(name, said)).map((name) => ({
      name,
      version: versionIn(said.get(name) ?? ''),
    })),
  };
}

/** Whether it is `python` of the same version as `python3`, which is listed. */
function isSamePython(name: string, said: ReadonlyMap<string, string>): boolean {
  return (
    name === 'python' && said.has('python3') && versionIn(said.get(name) ?? '') === versionIn(said.get('python3') ?? '')
  );
}

function versionIn(text: string): string | null {
  return /\d+(?:\.\d+){1,3}/.exec(text)?.[0] ?? null;
}
