/** A project's conversation for another program that speaks with it. It has no way to approve anything. */

export interface Said {
  /** `in`: to the project; `out`: by it. */
  readonly direction: 'in' | 'out';
  /** The message's id. Null for an open question, which is shown with the messages. */
  readonly id: number | null;
  readonly text: string;
}

export interface ConversationListener {
  said(message: Said): void;
  /** Reports the current activity. */
  doing(text: string): void;
}

export interface ProjectConversation {
  /**
   * Opens the project of the conversation from a folder. Throws NOT_PERMITTED for a folder outside the workspace, or NOT_FOUND if no project has the
   * name.
   */
  open(folder: string): Promise<string>;
  /** Returns the newest messages, oldest first. Throws NOT_FOUND if the project is not the one of the conversation. */
  recent(project: string): Promise<readonly Said[]>;
  /** Sends a message and listens until the conversation is at rest. When `signal` aborts, only the listening ends. */
  say(project: string, text: string, ears: ConversationListener, signal: AbortSignal): Promise<void>;
}
