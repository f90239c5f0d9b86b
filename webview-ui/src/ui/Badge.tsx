import '@vscode-elements/elements/dist/vscode-badge/index.js';

export function Badge({ count }: { readonly count: number }) {
  return <vscode-badge variant="counter">{count}</vscode-badge>;
}
