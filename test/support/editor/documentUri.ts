/** `Uri` of a document with a scheme of ours, for `vi.mock('vscode')`: imported in `vi.hoisted`. */
export class DocumentUri {
  readonly scheme: string;
  readonly path: string;

  constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }

  static from({ scheme, path }: { scheme: string; path: string }): DocumentUri {
    return new DocumentUri(scheme, path);
  }

  toString(): string {
    return `${this.scheme}:${this.path}`;
  }
}
