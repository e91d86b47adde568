/** One device of a run: its process, its folder, its line, and what the model is told of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Line } from '../line/line.ts';
import { Coded, type Edit, Edited, Joined, Nothing, Opened, Practised, Synced } from '../messages.ts';
import type { EditMoment } from '../model/change.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import type { Step } from '../plan/plan.ts';
import { type DeviceProcess, ProcessEnded } from '../process-pool.ts';
import { damageDatabase } from './damage.ts';
import { attemptsOf, targetOf } from './edit-target.ts';
import { adoptSession, readFileOutbox, readFileRejected } from './read-device.ts';
import type { World } from './world.ts';

export interface DevicePlace {
  dir: string;
  line: Line;
  model: LearnerModel;
  chanceSeed: number;
  skewMs: number;
  /** Its clock is never moved during the run. */
  hasSteadyClock: boolean;
}

export class HostDevice {
  readonly dir: string;
  readonly line: Line;
  model: LearnerModel;
  userId = '';
  deviceId = '';
  /** What the server refused, as the device showed it at some time. */
  readonly shown = new Map<string, { code: string; fields: Record<string, unknown> }>();
  readonly #world: World;
  readonly #chanceSeed: number;
  readonly #hasSteadyClock: boolean;
  #skewMs: number;
  /** When its last sync that ended well began. */
  #seenMs = 0;
  #process: DeviceProcess;

  constructor(world: World, place: DevicePlace) {
    this.dir = place.dir;
    this.line = place.line;
    this.model = place.model;
    this.#world = world;
    this.#chanceSeed = place.chanceSeed;
    this.#skewMs = place.skewMs;
    this.#hasSteadyClock = place.hasSteadyClock;
    this.#process = this.#take();
  }

  #take(): DeviceProcess {
    const taken = this.#world.pool.take();
    this.#world.busy.add(taken);
    return taken;
  }

  async open(): Promise<Opened> {
    const { dir, line } = this;
    const place = { dir, url: line.url, chanceSeed: this.#chanceSeed, skewMs: this.#skewMs };
    const opened = await this.#process.ask({ type: 'open', ...place }, Opened);
    this.userId = opened.userId;
    this.deviceId = opened.deviceId;
    return opened;
  }

  async perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'edit':
        return this.#edit(step.edit, step.ageMs);
      case 'sync':
        return void (await this.sync());
      case 'line':
        return this.line.arm(step.fault);
      case 'offline':
        if (step.isOffline) this.#count('offline');
        return this.line.setOffline(step.isOffline);
      case 'oldServer':
        if (step.isOld) this.#count('old_server');
        return this.line.setOldServer(step.isOld);
      case 'skew':
        this.#count('skew');
        this.#skewMs = step.skewMs;
        return void (await this.#process.ask({ type: 'skew', skewMs: step.skewMs }, Nothing));
      case 'restart':
        this.#count('restart_device');
        await this.close();
        return this.reopen();
      case 'killDuringEdit':
        return this.#killDuring(this.#edit(step.edit), step.afterMs);
      case 'killDuringSync':
        return this.#killDuring(this.sync(), step.afterMs);
      case 'backUp':
        return void (await this.#process.ask({ type: 'backUp' }, Nothing));
      case 'damage':
        return this.#damage(step.shares);
      case 'fillDisk':
        return this.#fillDisk(step.edits);
      case 'practise':
        return this.#practise();
      case 'pause':
        return pause(step.ms);
      case 'killServer':
        return this.#world.killServer(step.downMs);
      case 'backUpServer':
        return this.#world.backUpServer();
      case 'restoreServer':
        return this.#world.restoreServer(step.restore);
    }
  }

  async sync(): Promise<Synced> {
    const startMs = Date.now();
    const synced = await this.#process.ask({ type: 'sync' }, Synced);
    if (synced.state === 'idle') this.#seenMs = startMs;
    this.model.settle(this.deviceId, synced.waiting, Date.now());
    return synced;
  }

  async createLinkCode(): Promise<string | null> {
    try {
      return (await this.#process.ask({ type: 'createLinkCode' }, Coded)).code;
    } catch (error) {
      // It plays its own part meanwhile, and may be killed in it.
      if (error instanceof ProcessEnded || String(error).includes('is not open')) return null;
      throw error;
    }
  }

  async join(code: string): Promise<{ failure: string | null; opened: Opened }> {
    const joined = await this.#process.ask({ type: 'join', code }, Joined);
    this.userId = joined.opened.userId;
    this.deviceId = joined.opened.deviceId;
    return joined;
  }

  /** The work may come to pass or not, and never answers. */
  async killDuring(work: Promise<unknown>, afterMs: number): Promise<void> {
    this.#count('kill_device');
    const over = work.catch((error: unknown) => {
      if (!(error instanceof ProcessEnded)) throw error;
    });
    await pause(afterMs);
    await this.#process.kill();
    await over;
    this.#world.busy.delete(this.#process);
    this.#process = this.#take();
  }

  async #killDuring(work: Promise<unknown>, afterMs: number): Promise<void> {
    await this.killDuring(work, afterMs);
    await this.reopen();
  }

  async close(): Promise<void> {
    await this.#process.ask({ type: 'close' }, Nothing);
  }

  /** On the same folder; what waits there tells what became of an edit that was in flight. */
  async reopen(): Promise<void> {
    const { outbox } = await this.open();
    this.model.recognise(this.deviceId, outbox);
    this.model.settle(
      this.deviceId,
      outbox.map(({ mutationId }) => mutationId),
      Date.now(),
    );
  }

  /** For good: the process goes on in another run. */
  async retire(): Promise<void> {
    await this.close();
    this.#world.busy.delete(this.#process);
    this.#world.pool.giveBack(this.#process);
  }

  readShown(): void {
    for (const { id, code, fields } of readFileRejected(this.dir)) {
      this.shown.set(id, { code, fields });
      this.model.reject(id, code);
    }
  }

  momentOf(madeMs: number, ageMs = 0): EditMoment {
    return { madeMs, trueMs: this.#hasSteadyClock ? madeMs - ageMs : null, seenMs: this.#seenMs };
  }

  async #edit(edit: Edit, ageMs = 0): Promise<void> {
    const { counts } = this.#world;
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
        this.model.acknowledge({ entry, absorbed }, this.deviceId, moment, attemptsOf(edit, entry.fields));
      }
      this.model.settle(this.deviceId, edited.waiting, Date.now());
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      counts.add('edits in flight at a kill');
      this.model.inFlight({
        ...targetOf(edit, this.userId),
        device: this.deviceId,
        ...moment,
        attempts: attemptsOf(edit, {}),
      });
      throw error;
    }
  }

  async #damage(shares: readonly number[]): Promise<void> {
    this.#count('damaged_database');
    await this.close();
    this.readShown();
    const damaged = readFileOutbox(this.dir);
    await damageDatabase(this.dir, shares);
    const { outbox, restoredFromMs } = await this.open();
    // A copy of yesterday has not seen what its device has.
    this.#seenMs = 0;
    if (restoredFromMs !== null) this.#world.counts.add('backups restored');
    this.model.restore(this.deviceId, damaged, outbox);
  }

  async #fillDisk(edits: readonly Edit[]): Promise<void> {
    await this.#process.ask({ type: 'limitDisk', pages: 0 }, Nothing);
    for (const edit of edits) await this.#edit(edit);
    await this.sync();
    await this.#process.ask({ type: 'limitDisk', pages: null }, Nothing);
  }

  async #practise(): Promise<void> {
    this.#count('host_practice');
    const { dialogue } = this.#world.ids;
    await this.close();
    const place = { dir: this.dir, url: this.line.url, skewMs: this.#skewMs };
    const { sessionId, failure } = await this.#process.ask({ type: 'practise', ...place, ...dialogue }, Practised);
    if (failure !== null) this.#world.oddities.push(`the host could not hold a session: ${failure}`);
    if (sessionId !== null)
      adoptSession(this.model, this.#world.document, { dir: this.dir, deviceId: this.deviceId, sessionId });
    await this.reopen();
  }

  #count(fault: Parameters<World['counts']['add']>[0]): void {
    this.#world.counts.add(fault);
  }
}
