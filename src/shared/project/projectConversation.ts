/** A project's conversation for whoever speaks with it from another program. Nobody approves anything by it. */

export interface Said {
  /** `in`: to the project; `out`: by it. */
  readonly direction: 'in' | 'out';
  /** Of the message; null: it is told along with them, as a question that waits. */
  readonly id: number | null;
  readonly text: string;
}

export interface ConversationListener {
  said(message: Said): void;
  /** What is done right now. */
  doing(text: string): void;
}

export interface ProjectConversation {
  /** The project that is spoken with from a folder. NOT_PERMITTED: not from there. NOT_FOUND: there is none of its name. */
  open(folder: string): Promise<string>;
  /** What was said last, oldest first. NOT_FOUND: another project than the one that is spoken with. */
  recent(project: string): Promise<readonly Said[]>;
  /** Says it, and hears what comes back until the conversation rests. When `signal` aborts, only the hearing ends. */
  say(project: string, text: string, ears: ConversationListener, signal: AbortSignal): Promise<void>;
}
