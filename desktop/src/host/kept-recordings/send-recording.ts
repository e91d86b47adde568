/**
 * Sends one recording: encodes it next to its WAV, announces it, and sends the parts that the server lacks. Each step
 * can be repeated.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReceivedRecording, RECORDING_CHUNK_BYTES } from '@parley/contract';
import { RecordingId, SessionId } from '@parley/domain';
import type { OpusThread } from '@parley/speech/opus/worker';
import { readPcm16, type Recordings } from '../recordings/index.ts';
import { type ServerConnection, toFailure } from '../server/index.ts';
import { recordings as recordingRows, renameFile, type Store } from '../store/index.ts';
import { findUpload, nextToSend, type RecordingRow, saveUpload, type UploadRow } from './keeping-state.ts';

export interface SendParts {
  store: Store;
  recordings: Pick<Recordings, 'readWav'>;
  codec: OpusThread;
}

/** A recording that arrives damaged every time must not be sent forever. */
const MAX_REFUSALS = 3;

export const uploadFolder = ({ dataDir }: Pick<Store, 'dataDir'>): string => join(dataDir, 'recordings', 'uploads');

/**
 * Sends the newest recording that is not on the server. Returns false when there is none. Throws whatever a server call
 * throws.
 */
export async function sendNext(
  parts: SendParts,
  { connection, userId, signal }: { connection: ServerConnection; userId: string; signal: AbortSignal },
): Promise<boolean> {
  const { store } = parts;
  const recording = nextToSend(store, userId);
  if (recording === null) return false;
  const encoded = await encode(parts, { recording, userId, signal });
  if (encoded === null) return true;
  const { upload, content } = encoded;
  const { recordingId } = recording;
  const { sha256, bytes } = upload;
  const announced = await connection.client.recordings.announce(
    { recordingId: RecordingId.parse(recordingId), sessionId: SessionId.parse(recording.sessionId), sha256, bytes },
    { signal },
  );
  try {
    let state: ReceivedRecording = announced;
    while (state.status === 'missing') {
      signal.throwIfAborted();
      const { offset } = state;
      state = await connection.sendRecordingPart(
        { sha256, offset, content: content.subarray(offset, offset + RECORDING_CHUNK_BYTES) },
        signal,
      );
    }
  } catch (error) {
    if (toFailure(error).code !== 'audio.invalid') throw error;
    // The encoded file was damaged in transit or on this disk, so it is encoded again.
    const refusals = upload.refusals + 1;
    saveUpload(store, { ...upload, state: refusals < MAX_REFUSALS ? 'encoded' : 'refused', refusals });
    rmSync(fileOf(store, recordingId), { force: true });
    return true;
  }
  saveUpload(store, { ...upload, state: 'kept' });
  rmSync(fileOf(store, recordingId), { force: true });
  return true;
}

const fileOf = (store: Store, recordingId: string): string => join(uploadFolder(store), `${recordingId}.opus`);

/** Removes what was encoded of recordings that have been deleted before they were sent. */
export function removeUploadsOfDeleted(store: Store): void {
  const folder = uploadFolder(store);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length === 0) return;
  const rows = store.db.select({ id: recordingRows.recordingId }).from(recordingRows).all();
  const ids = new Set(rows.map(({ id }) => id));
  for (const name of names) if (!ids.has(name.split('.', 1)[0] ?? '')) rmSync(join(folder, name), { force: true });
}

const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Reuses what was encoded before the app was closed. Null when the WAV is gone, so that there is nothing to send. */
async function encode(
  { store, recordings, codec }: SendParts,
  { recording: { recordingId }, userId, signal }: { recording: RecordingRow; userId: string; signal: AbortSignal },
): Promise<{ upload: UploadRow; content: Uint8Array } | null> {
  const file = fileOf(store, recordingId);
  const known = findUpload(store, userId, recordingId);
  const existing = known === null ? null : await readFile(file).catch(() => null);
  if (known !== null && existing !== null && sha256Of(existing) === known.sha256)
    return { upload: known, content: existing };
  const pcm = await readPcm16(recordings, { recordingId });
  if (!pcm.ok) {
    saveUpload(store, { recordingId, userId, sha256: '', bytes: 0, state: 'refused' });
    return null;
  }
  const content = await codec.encode(new Uint8Array(pcm.value), signal);
  mkdirSync(uploadFolder(store), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, content, { mode: 0o600, flush: true });
  renameFile(`${file}.new`, file);
  const upload: UploadRow = {
    recordingId,
    userId,
    sha256: sha256Of(content),
    bytes: content.byteLength,
    state: 'encoded',
    refusals: known?.refusals ?? 0,
  };
  saveUpload(store, upload);
  return { upload, content };
}
