/** A tree whose rows are loaded when the editor first requests them, which is when the view becomes visible. */
import * as vscode from 'vscode';

/** The rows of a tree. */
export interface TreeRows<Node> {
  /** Forgets what it derived from the state before. */
  refresh(): void;
  getTreeItem(node: Node): vscode.TreeItem;
  getChildren(node?: Node): Node[];
}

export class LazyTree<Node> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #load: () => Promise<TreeRows<Node>>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #loading: Promise<TreeRows<Node>> | null = null;
  #rows: TreeRows<Node> | null = null;

  constructor(load: () => Promise<TreeRows<Node>>) {
    this.#load = load;
  }

  refresh(): void {
    this.#rows?.refresh();
    this.#changed.fire(undefined);
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    return (await this.#loaded()).getTreeItem(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return (await this.#loaded()).getChildren(node);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #loaded(): Promise<TreeRows<Node>> {
    this.#loading ??= this.#load();
    this.#rows = await this.#loading;
    return this.#rows;
  }
}
