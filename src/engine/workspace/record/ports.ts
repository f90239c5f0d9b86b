/** Declares the parts of an export and the destination of an import. */
import type { TranscriptEntry } from '../../session/ports.ts';

export interface RecordFile {
  readonly path: string;
  readonly data: Uint8Array;
}

export interface RecordFiles {
  /** Hash of the manifest, which names all other files. */
  readonly hash: string;
  /** Files by path, without the manifest. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface ExportPorts {
  readonly artifacts: {
    /** Returns null if the artifact is missing or altered. */
    get(name: string): Promise<string | null>;
    isName(text: string): boolean;
    nameOf(data: Uint8Array): string;
  };
  readonly kept: {
    /** Returns null if no work of the attempt is stored. Throws STATE_DAMAGED. */
    get(attempt: number): Promise<{ readonly data: Uint8Array; readonly hash: string } | null>;
    hashOf(data: Uint8Array): string;
  };
  /** The journaled entries of a session. Empty if there are none, or another installation wrote them. */
  transcript(sessionId: number): Promise<readonly TranscriptEntry[]>;
  /** Throws NOT_PERMITTED if a file exists already, or DISK. */
  write(files: readonly RecordFile[]): Promise<RecordFiles>;
}

export interface ImportPorts {
  /** Throws INVALID_INPUT if the export is another installation's, was changed, or has a newer format; NOT_FOUND. */
  read(path: string): Promise<RecordFiles>;
  readonly artifacts: {
    /** Stores the text, and returns its name. Throws DISK. */
    put(text: string): Promise<string>;
  };
  readonly kept: {
    /** Stores the work of the attempt. Throws DISK. */
    put(attempt: number, data: Uint8Array): Promise<unknown>;
    hashOf(data: Uint8Array): string;
  };
  openTranscript(sessionId: number): Promise<{
    /** Durable when it resolves. Throws DISK. */
    append(entry: TranscriptEntry): Promise<void>;
    close(): Promise<void>;
  }>;
  /** Throws INVALID_INPUT if `name` is not a valid project name. */
  checkProjectName(name: string): unknown;
}
