/** Names that no agent may write, under any spelling that some file system takes for them. */

export function isStateName(name: string): boolean {
  const folded = foldedName(name);
  return folded === '.autonomous' || folded === 'autono~1' || folded.startsWith('.autonomous:');
}

export function isGitName(name: string): boolean {
  const folded = foldedName(name);
  return folded === '.git' || folded === 'git~1' || folded.startsWith('.git:');
}

/** One that shows by its name how secrets are given holds none. */
export function isSecretName(name: string): boolean {
  return /^\.env(?:rc$|$|\.(?!example$|sample$|template$))/.test(foldedName(name));
}

function foldedName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}
