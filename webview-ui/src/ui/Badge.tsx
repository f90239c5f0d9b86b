/** How many, as VS Code counts in its side bar. */
export function Badge({ count }: { readonly count: number }) {
  return <span className="badge">{count}</span>;
}
