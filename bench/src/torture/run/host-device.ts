/** A device of a run: its process, its folder, its proxy, and its entries in the model. */
import { cpSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultyProxy } from '../proxy/faulty-proxy.ts';
import { LinkCodeCreated, type Edit, Edited, Imported, Joined, Empty, Opened, Practised, Synced } from '../messages.ts';
import type { EditMoment } from '../model/change.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import type { Step } from '../plan/plan.ts';
import { type DeviceProcess, ProcessEnded } from '../process-pool.ts';
import { damageDatabase } from './damage-database.ts';
import { toWordAttempts, describeTarget } from './edit-target.ts';
import { recordHostSession, readClosedOutbox, readRejectedChanges } from './read-device-folder.ts';
import type { RunEnvironment } from './run-environment.ts';

export interface HostDeviceOptions {
  dir: string;
  line: FaultyProxy;
  model: LearnerModel;
  chanceSeed: number;
  skewMs: number;
  /** The clock is never moved during the run. */
  hasSteadyClock: boolean;
  /** Another device has a copy of the folder. */
  isFolderShared?: boolean;
}

export class HostDevice {
  readonly dir: string;
  readonly proxy: FaultyProxy;
  model: LearnerModel;
  userId = '';
  deviceId = '';
  /** Every refused change that the device has shown to the learner at some time. */
  readonly shownRefusals = new Map<string, { code: string; fields: Record<string, unknown> }>();
  readonly #environment: RunEnvironment;
  readonly #chanceSeed: number;
  readonly #hasSteadyClock: boolean;
  #skewMs: number;
  /** When the last successful sync started. */
  #seenMs = 0;
  #folderCopy: { dir: string; seenMs: number } | null = null;
  /**
   * A word list counts attempts by device, and a device notices only when it syncs that its counts are also used in
   * another folder. By then, the app has logged each attempt individually.
   */
  #mayCountWords: boolean;
  readonly #isFolderShared: boolean;
  #process: DeviceProcess;

  constructor(environment: RunEnvironment, place: HostDeviceOptions) {
    this.dir = place.dir;
    this.proxy = place.line;
    this.model = place.model;
    this.#environment = environment;
    this.#chanceSeed = place.chanceSeed;
    this.#skewMs = place.skewMs;
    this.#hasSteadyClock = place.hasSteadyClock;
    this.#isFolderShared = place.isFolderShared === true;
    this.#mayCountWords = !this.#isFolderShared;
    this.#process = this.#take();
  }

  #take(): DeviceProcess {
    const taken = this.#environment.pool.acquire();
    this.#environment.activeProcesses.add(taken);
    return taken;
  }

  async open(): Promise<Opened> {
    const { dir, proxy } = this;
    const place = { dir, url: proxy.url, chanceSeed: this.#chanceSeed, skewMs: this.#skewMs };
    const opened = await this.#process.ask({ type: 'open', ...place }, Opened);
    this.userId = opened.userId;
    this.deviceId = this.#isFolderShared ? `${opened.deviceId} in ${basename(dir)}` : opened.deviceId;
    return opened;
  }

  async perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'edit':
        return this.#edit(step.edit, step.ageMs);
      case 'sync':
        return void (await this.sync());
      case 'line':
        return this.proxy.armFault(step.fault);
      case 'offline':
        if (step.isOffline) this.#count('offline');
        return this.proxy.setOffline(step.isOffline);
      case 'oldServer':
        if (step.isOld) this.#count('old_server');
        return this.proxy.setOldServer(step.isOld);
      case 'skew':
        this.#count('skew');
        this.#skewMs = step.skewMs;
        return void (await this.#process.ask({ type: 'skew', skewMs: step.skewMs }, Empty));
      case 'restart':
        this.#count('restart_device');
        await this.close();
        return this.reopen();
      case 'killDuringEdit':
        return this.#killDuring(this.#edit(step.edit), step.afterMs);
      case 'killDuringSync':
        return this.#killDuring(this.sync(), step.afterMs);
      case 'backUp':
        return void (await this.#process.ask({ type: 'backUp' }, Empty));
      case 'damage':
        return this.#damage(step.shares);
      case 'fillDisk':
        return this.#fillDisk(step.edits);
      case 'practise':
        return this.#practise();
      case 'copyFolder':
        return this.#copyFolder();
      case 'restoreFolder':
        return this.#restoreFolder();
      case 'pause':
        return pause(step.ms);
      case 'killServer':
        return this.#environment.killServer(step.downMs);
      case 'backUpServer':
        return this.#environment.backUpServer();
      case 'restoreServer':
        return this.#environment.restoreServer(step.restore);
    }
  }

  async sync(): Promise<Synced> {
    const startMs = Date.now();
    const synced = await this.#process.ask({ type: 'sync' }, Synced);
    if (synced.state === 'idle') {
      this.#seenMs = startMs;
      this.#mayCountWords = !this.#isFolderShared;
    }
    this.model.markSettled(this.deviceId, synced.waiting, Date.now());
    return synced;
  }

  async createLinkCode(): Promise<string | null> {
    try {
      return (await this.#process.ask({ type: 'createLinkCode' }, LinkCodeCreated)).code;
    } catch (error) {
      // In the meantime, the device acts on its own, and may be closed or killed.
      if (error instanceof ProcessEnded || String(error).includes('is not open')) return null;
      throw error;
    }
  }

  async importFrom(dir: string): Promise<void> {
    const { practices } = await this.#process.ask({ type: 'importFrom', dir }, Imported);
    this.#environment.counts.add('practices imported', practices);
  }

  async join(code: string): Promise<{ failure: string | null; opened: Opened }> {
    const joined = await this.#process.ask({ type: 'join', code }, Joined);
    this.userId = joined.opened.userId;
    this.deviceId = joined.opened.deviceId;
    return joined;
  }

  /** Kills the process during the work, which may succeed or not but never answers. */
  async killDuring(work: Promise<unknown>, afterMs: number): Promise<void> {
    this.#count('kill_device');
    const over = work.catch((error: unknown) => {
      if (!(error instanceof ProcessEnded)) throw error;
    });
    await pause(afterMs);
    await this.#process.kill();
    await over;
    this.#environment.activeProcesses.delete(this.#process);
    this.#process = this.#take();
  }

  async #killDuring(work: Promise<unknown>, afterMs: number): Promise<void> {
    await this.killDuring(work, afterMs);
    await this.reopen();
  }

  async close(): Promise<void> {
    await this.#process.ask({ type: 'close' }, Empty);
  }

  /** Reopens the same folder; its outbox shows what became of an edit that was in flight. */
  async reopen(): Promise<void> {
    const { outbox } = await this.open();
    this.model.reconcileOutbox(this.deviceId, outbox);
    this.model.markSettled(
      this.deviceId,
      outbox.map(({ mutationId }) => mutationId),
      Date.now(),
    );
  }

  /** Closes the device and returns its process to the pool. */
  async closeForGood(): Promise<void> {
    await this.close();
    this.#environment.activeProcesses.delete(this.#process);
    this.#environment.pool.release(this.#process);
  }

  recordShownRefusals(): void {
    for (const { id, code, fields } of readRejectedChanges(this.dir)) {
      this.shownRefusals.set(id, { code, fields });
      this.model.recordRejection(id, code);
    }
  }

  momentOf(madeMs: number, ageMs = 0): EditMoment {
    return { madeMs, trueMs: this.#hasSteadyClock ? madeMs - ageMs : null, seenMs: this.#seenMs };
  }

  async #edit(edit: Edit, ageMs = 0): Promise<void> {
    if (edit.op === 'words' && !this.#mayCountWords) return;
    const { counts } = this.#environment;
    const moment = this.momentOf(Date.now(), ageMs);
    try {
      const edited = await this.#process.ask({ type: 'edit', edit, ageMs }, Edited);
      counts.add(edited.outcome === 'made' ? 'edits acknowledged' : `edits ${edited.outcome}`);
      if (edited.outcome === 'full') this.#count('disk_full');
      if (edited.outcome !== 'made') return;
      if (ageMs > 0) this.#count('aged_edits');
      counts.add(`edits: ${edit.op}`);
      for (const [index, entry] of edited.entries.entries()) {
        const absorbed = index === 0 ? edited.absorbed : [];
        this.model.recordAcknowledged({ entry, absorbed }, this.deviceId, moment, toWordAttempts(edit, entry.fields));
      }
      this.model.markSettled(this.deviceId, edited.waiting, Date.now());
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      counts.add('edits in flight at a kill');
      this.model.recordInFlight({
        ...describeTarget(edit, this.userId),
        device: this.deviceId,
        ...moment,
        attempts: toWordAttempts(edit, {}),
      });
      throw error;
    }
  }

  async #damage(shares: readonly number[]): Promise<void> {
    this.#count('damaged_database');
    await this.close();
    this.recordShownRefusals();
    const damaged = readClosedOutbox(this.dir);
    await damageDatabase(this.dir, shares);
    const { outbox, restoredFromMs } = await this.open();
    // The restored backup has not seen what the device had seen.
    this.#seenMs = 0;
    if (restoredFromMs !== null) this.#environment.counts.add('backups restored');
    this.model.recordBackupRestore(this.deviceId, damaged, outbox);
  }

  async #copyFolder(): Promise<void> {
    await this.close();
    const dir = `${this.dir}-copy`;
    rmSync(dir, { recursive: true, force: true });
    cpSync(this.dir, dir, { recursive: true });
    this.#folderCopy = { dir, seenMs: this.#seenMs };
    await this.reopen();
  }

  async #restoreFolder(): Promise<void> {
    if (this.#folderCopy === null) return;
    this.#count('restored_folder');
    await this.close();
    this.recordShownRefusals();
    const left = readClosedOutbox(this.dir);
    rmSync(this.dir, { recursive: true });
    cpSync(this.#folderCopy.dir, this.dir, { recursive: true });
    this.#seenMs = this.#folderCopy.seenMs;
    this.#mayCountWords = false;
    const { outbox } = await this.open();
    this.model.recordBackupRestore(this.deviceId, left, outbox);
  }

  async #fillDisk(edits: readonly Edit[]): Promise<void> {
    await this.#process.ask({ type: 'limitDisk', pages: 0 }, Empty);
    for (const edit of edits) await this.#edit(edit);
    await this.sync();
    await this.#process.ask({ type: 'limitDisk', pages: null }, Empty);
  }

  async #practise(): Promise<void> {
    this.#count('host_practice');
    const { dialogue } = this.#environment.ids;
    await this.close();
    const place = { dir: this.dir, url: this.proxy.url, skewMs: this.#skewMs };
    const { sessionId, failure } = await this.#process.ask({ type: 'practise', ...place, ...dialogue }, Practised);
    if (failure !== null) this.#environment.anomalies.push(`the host could not hold a session: ${failure}`);
    if (sessionId !== null)
      recordHostSession(this.model, this.#environment.document, { dir: this.dir, deviceId: this.deviceId, sessionId });
    await this.reopen();
  }

  #count(fault: Parameters<RunEnvironment['counts']['add']>[0]): void {
    this.#environment.counts.add(fault);
  }
}
