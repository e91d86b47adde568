/** The speech pack of this computer: found, downloaded, verified, timed on first use, and removed. */
import type { ErrorCode, SpeechPackOffer, SpeechPackState } from '@parley/contract';
import { ok } from '@parley/domain';
import {
  createTranscriber,
  MANIFEST_NAME,
  packHash,
  SpeechPackManifest,
  type Transcript,
  type TranscriberOptions,
} from '@parley/speech-pack';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../logger.ts';
import { type HostResult, failed } from '../result/index.ts';
import { toFailure } from '../server/index.ts';
import { isDiskFullError, renameFile } from '../store/index.ts';
import { downloadPack, sizeOf, WrongFile } from './download-pack.ts';
import { describePack, findPack, type FoundPack, manifestAddress } from './find-pack.ts';

export interface SpeechPack {
  state(): SpeechPackState;
  find(address: string | null): Promise<HostResult<SpeechPackOffer>>;
  install(hash: string): HostResult<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
  allowSlow(): void;
  /**
   * `pcm` is 16 kHz mono in -1..1. Null if there is no pack, if it is too slow on this computer, or if nothing was
   * understood.
   */
  transcribe(pcm: Float32Array): Promise<Transcript | null>;
  close(): Promise<void>;
}

export type SpeechPackOptions = TranscriberOptions;

export interface SpeechPackParts {
  dataDir: string;
  serverUrl: () => string | null;
  logger: Pick<Logger, 'error' | 'warn'>;
  options?: SpeechPackOptions | undefined;
}

const SAMPLE_RATE_HZ = 16_000;
/** If the first, timed use takes more seconds of work per second of speech than this, the pack is not used. */
const MAX_SPEED = 1;
/** Includes loading the model. */
const BASE_LIMIT_MS = 20_000;
const LIMIT_PER_SECOND_MS = 2_000;

const Found = z.object({ address: z.string(), manifest: SpeechPackManifest });
const Measured = z.object({ speed: z.number(), isSlowAllowed: z.boolean() });

export function createSpeechPack({ dataDir, serverUrl, logger, options }: SpeechPackParts): SpeechPack {
  const transcriber = createTranscriber(options);
  const folder = join(dataDir, 'speech-pack');
  /** The folder of an unfinished download, which replaces the pack's folder when it is complete. */
  const partFolder = join(dataDir, 'speech-pack.part');
  // No file of a pack has a name that begins with a dot.
  const offerFile = join(partFolder, '.offer.json');
  const speedFile = join(folder, '.speed.json');
  const closing = new AbortController();
  let found: FoundPack | null = null;
  let download: { stop: AbortController; done: Promise<void> } | null = null;
  let failure: ErrorCode | 'damaged' | null = null;
  let isDamaged = false;

  const interrupted = (): FoundPack | null => readJson(offerFile, Found);
  const installed = (): SpeechPackManifest | null => readJson(join(folder, MANIFEST_NAME), SpeechPackManifest);
  const receivedBytes = ({ manifest }: FoundPack): number =>
    manifest.files.reduce((sum, { path, bytes }) => sum + Math.min(bytes, sizeOf(join(partFolder, path))), 0);

  async function run(pack: FoundPack, signal: AbortSignal): Promise<void> {
    try {
      await downloadPack(pack, partFolder, signal);
      await transcriber.release();
      writeFileSync(join(partFolder, MANIFEST_NAME), JSON.stringify(pack.manifest), { mode: 0o600 });
      // If the app is killed here, the offer is still next to the files, and the installation continues from it.
      rmSync(folder, { recursive: true, force: true });
      renameFile(partFolder, folder);
      isDamaged = false;
    } catch (error) {
      if (signal.aborted) return;
      failure = toDownloadFailure(error);
      logger.warn({ err: error }, 'speech_pack_download_failed');
    }
  }

  function begin(pack: FoundPack): void {
    const known = interrupted();
    if (known !== null && packHash(known.manifest) !== packHash(pack.manifest)) rmSync(partFolder, { recursive: true });
    mkdirSync(partFolder, { recursive: true, mode: 0o700 });
    writeFileSync(offerFile, JSON.stringify(pack), { mode: 0o600 });
    failure = null;
    const stop = new AbortController();
    const done = run(pack, stop.signal).finally(() => {
      download = null;
    });
    download = { stop, done };
  }

  async function stop(): Promise<void> {
    download?.stop.abort();
    await download?.done;
  }

  const measured = (): z.infer<typeof Measured> | null => readJson(speedFile, Measured);
  function noteSpeed(speed: number): void {
    // Only the first use is timed; a later decision of the learner stays.
    if (measured() === null) writeFileSync(speedFile, JSON.stringify({ speed, isSlowAllowed: false }), { mode: 0o600 });
  }
  function isTooSlow(): boolean {
    const known = measured();
    return known !== null && known.speed > MAX_SPEED && !known.isSlowAllowed;
  }

  return {
    state() {
      const pack = interrupted();
      if (pack !== null) {
        const described = { pack: describePack(pack.manifest), bytes: receivedBytes(pack) };
        return download === null
          ? { status: 'interrupted', ...described, failure }
          : { status: 'loading', ...described };
      }
      const manifest = installed();
      if (manifest === null) return { status: 'none' };
      const described = describePack(manifest);
      const isComplete = manifest.files.every(({ path, bytes }) => sizeOf(join(folder, path)) === bytes);
      if (!isComplete || isDamaged) return { status: 'damaged', pack: described };
      return { status: 'ready', pack: described, speed: measured()?.speed ?? null, isTooSlow: isTooSlow() };
    },

    async find(address) {
      const located = manifestAddress(address, serverUrl());
      if (!located.ok) return located;
      const pack = await findPack(located.value, closing.signal);
      if (!pack.ok) return pack;
      found = pack.value;
      return ok({ ...describePack(found.manifest), address: found.address });
    },

    install(hash) {
      const pack = [found, interrupted()].find((known) => known !== null && packHash(known.manifest) === hash);
      if (pack === undefined || pack === null) return failed('speech_pack.not_found');
      if (download === null) begin(pack);
      return ok(undefined);
    },

    stop,

    async remove() {
      await stop();
      await transcriber.release();
      failure = null;
      isDamaged = false;
      await rm(partFolder, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },

    allowSlow() {
      const known = measured();
      if (known !== null) writeFileSync(speedFile, JSON.stringify({ ...known, isSlowAllowed: true }), { mode: 0o600 });
    },

    async transcribe(pcm) {
      if (installed() === null || isDamaged || isTooSlow()) return null;
      const seconds = pcm.length / SAMPLE_RATE_HZ;
      const limitMs = BASE_LIMIT_MS + seconds * LIMIT_PER_SECOND_MS;
      const limit = AbortSignal.timeout(limitMs);
      try {
        const response = await transcriber.transcribe(pcm, {
          folder,
          signal: AbortSignal.any([limit, closing.signal]),
        });
        if (response.type !== 'transcript') {
          isDamaged = true;
          logger.error({ reason: response.message }, 'speech_pack_unusable');
          return null;
        }
        noteSpeed(response.workMs / (seconds * 1000));
        return response.transcript.text === '' ? null : response.transcript;
      } catch (error) {
        if (limit.aborted) noteSpeed(limitMs / (seconds * 1000));
        logger.warn({ err: error }, 'speech_pack_failed');
        return null;
      }
    },

    async close() {
      closing.abort();
      await stop();
      await transcriber.release();
    },
  };
}

/** Null when the file is missing or is not valid. */
function readJson<Value>(path: string, schema: z.ZodType<Value>): Value | null {
  if (!existsSync(path)) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function toDownloadFailure(error: unknown): ErrorCode | 'damaged' {
  if (error instanceof WrongFile) return 'damaged';
  return isDiskFullError(error) ? 'storage.full' : toFailure(error).code;
}
