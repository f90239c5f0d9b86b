/** Declares the dependencies of a project's conversation. */

import type { Clock } from '../../../shared/clock.ts';
import type { LiveLine } from '../../../shared/live.ts';
import type { SessionSettings } from '../../session/economy.ts';
import type { OpenTree, Transcript, TranscriptEntry } from '../../session/ports.ts';
import type { LoopStore } from '../../state/loopStore.ts';
import type { Problem } from '../../state/storePorts.ts';
import type { ConversationCalls } from '../threadPorts.ts';

/** The journal of a project's conversation: one for all its sessions and owners. */
export interface ConversationJournal extends Transcript {
  /** Entries since the last start: an opening, or the summary of an older part. */
  readonly entries: readonly TranscriptEntry[];
  /** Highest id of a message in the conversation, including shortened parts. 0 if there is none. */
  readonly heldUpTo: number;
  /** Parts that could not be read and were omitted. */
  readonly problems: readonly Problem[];
  /** Archives the content in a dated file, and restarts with these entries. Atomic. */
  restart(entries: readonly TranscriptEntry[]): Promise<void>;
  close(): Promise<void>;
}

export interface MemoryStat {
  readonly kind: 'file' | 'folder';
  readonly bytes: number;
}

/**
 * Text files below one folder. Paths are relative, with `/`, checked by `memoryPath`; the empty one is the folder itself. Links are
 * never followed: INVALID_INPUT. A file that is too large, too much of them, or no text: INVALID_INPUT, too.
 */
export interface MemoryFiles {
  /** Null if the path does not exist. */
  stat(path: string): Promise<MemoryStat | null>;
  /** Sorted by name. Entries other than files and folders are omitted. */
  list(path: string): Promise<readonly ({ readonly name: string } & MemoryStat)[]>;
  /** Null if the file does not exist. */
  read(path: string): Promise<string | null>;
  /** Whole or not at all; folders on the way are made. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

/** One folder that may be a skill. */
export interface SkillFolder {
  readonly name: string;
  /** Its location, for people. */
  readonly place: string;
  /** Its SKILL.md. Null if that is missing, not a plain file or too large. */
  readonly text: string | null;
}

/** Folders of skills; those of the project first, then the workspace's, then the user's. */
export interface SkillFiles {
  folders(): Promise<readonly SkillFolder[]>;
  /** Paths of the files in a skill's folder, with `/`. */
  files(folder: SkillFolder): Promise<readonly string[]>;
  /**
   * Throws INVALID_INPUT for a path that leads out, a link, or a file that is too large or not text. Null if the file does not
   * exist.
   */
  read(folder: SkillFolder, path: string): Promise<string | null>;
}

export type ModelOf = Readonly<Record<'project' | 'main' | 'subagent' | 'summarizer', string>>;

export interface ConversationSettings extends SessionSettings {
  /** Size at which the older part is summed up before the next turn. If absent, its cost decides. */
  readonly compactAtTokens?: number;
}

export interface ConversationPorts {
  readonly projectId: string;
  readonly store: LoopStore;
  readonly clock: Clock;
  /** The repository that its file tools see. */
  readonly workdir: string;
  readonly memory: MemoryFiles;
  readonly skills: SkillFiles;
  readonly owner: ConversationCalls;
  /** The model if the definition names none. */
  readonly models: ModelOf;
  readonly settings: ConversationSettings;
  openJournal(): Promise<ConversationJournal>;
  /** Opens the journal of a separate session: a subagent's or a summarizer's. */
  openTranscript(sessionId: number): Promise<Transcript & { close(): Promise<void> }>;
  gatewayFetch(sessionId: number): typeof fetch;
  readonly openTree: OpenTree;
  live(line: LiveLine): void;
  /** One sentence, for people. */
  problem(text: string): void;
}

/** Identifies a session of a conversation: its row, and its depth below the conversation. */
export interface Speaker {
  readonly sessionId: number;
  /** 0 for the conversation itself. */
  readonly depth: number;
}

export interface ConversationRun {
  readonly ports: ConversationPorts;
  readonly journal: ConversationJournal;
  readonly signal: AbortSignal;
}
