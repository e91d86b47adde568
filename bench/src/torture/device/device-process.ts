/** The process of a device: runs commands and answers only when the transaction has committed. */
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BACKUP_EVERY_MS, listMissingTurns } from '../../../../desktop/src/host/store/index.ts';
import { listBackups } from '../../../../desktop/src/host/store/backup/backup.ts';
import { type Command, type Edit, type Edited, type Opened, type Reply, Request, type Synced } from '../messages.ts';
import { applyEdit } from './apply-edit.ts';
import { type OpenDevice, openDevice } from './open-device.ts';
import { readOutbox, pendingMutationIds } from './read-outbox.ts';

/** The default of SQLite. */
const NO_LIMIT_PAGES = 4_294_967_294;

let device: OpenDevice | null = null;
let skewMs = 0;
const now = (): Date => new Date(Date.now() + skewMs);

function requireDevice(): OpenDevice {
  if (device === null) throw new Error('the device is not open');
  return device;
}

const describeDevice = ({ store }: OpenDevice): Opened => ({
  ...store.identity(),
  restoredFromMs: store.restoredFrom?.getTime() ?? null,
  outbox: readOutbox(store),
});

async function handleCommand(command: Command): Promise<unknown> {
  switch (command.type) {
    case 'open':
      skewMs = command.skewMs;
      device = await openDevice({ ...command, now });
      return describeDevice(device);
    case 'edit':
      return editWithAge(command.ageMs, command.edit);
    case 'sync': {
      const { sync, store } = requireDevice();
      const { state } = await sync.run();
      const isFetching = listMissingTurns(store, { since: null, limit: 1 }).length > 0;
      return {
        state: state === 'idle' && isFetching ? 'fetching_turns' : state,
        waiting: pendingMutationIds(store),
      } satisfies Synced;
    }
    case 'skew':
      skewMs = command.skewMs;
      return {};
    case 'backUp':
      await forceBackup();
      return {};
    case 'limitDisk':
      limitDisk(command.pages);
      return {};
    case 'createLinkCode': {
      const made = await requireDevice().sync.request((client) => client.devices.createLinkCode({}));
      return made.ok ? { code: made.value.code, failure: null } : { code: null, failure: made.error.code };
    }
    case 'join': {
      const joined = await requireDevice().sync.switchAccount((client, device) =>
        client.devices.join({ code: command.code, ...device }),
      );
      return { failure: joined.ok ? null : joined.error.code, opened: describeDevice(requireDevice()) };
    }
    case 'importFrom': {
      // Loaded on demand, because few devices import anything.
      const { importFrom } = await import('./import-from.ts');
      return { practices: await importFrom(requireDevice().store, command.dir) };
    }
    case 'close':
      await device?.close();
      device = null;
      return {};
    case 'practise':
      skewMs = command.skewMs;
      return holdPracticeSession(command);
  }
}

/** The edit is synchronous, so nothing else sees the clock that was set back. */
function editWithAge(ageMs: number, edit: Edit): Edited {
  skewMs -= ageMs;
  try {
    return applyEdit(requireDevice().store, edit);
  } finally {
    skewMs += ageMs;
  }
}

async function holdPracticeSession(command: Extract<Command, { type: 'practise' }>): Promise<unknown> {
  try {
    // Loaded on demand, because the host is slow to load and few devices need it.
    const { holdSession } = await import('./hold-session.ts');
    return { sessionId: await holdSession({ ...command, now }), failure: null };
  } catch (error) {
    return { sessionId: null, failure: error instanceof Error ? String(error.stack) : String(error) };
  }
}

/** Backdates the last backup, so that the next is due. The clock cannot move, because a sync may be running. */
async function forceBackup(): Promise<void> {
  const { store } = requireDevice();
  for (const { file, takenAt } of listBackups(store.dataDir, store.clock.now())) {
    const older = new Date(takenAt.getTime() - BACKUP_EVERY_MS).toISOString().replaceAll(':', '-').replace('.', '-');
    renameSync(file, join(dirname(file), `parley-${older}.sqlite`));
  }
  await store.backUpIfDue();
}

function limitDisk(pages: number | null): void {
  const { sqlite } = requireDevice().store;
  const used = Number(sqlite.pragma('page_count', { simple: true }));
  sqlite.pragma(`max_page_count = ${pages === null ? NO_LIMIT_PAGES : used + pages}`);
}

const send = (reply: Reply): void => void process.send?.(reply);

process.on('message', (message) => {
  const { id, command } = Request.parse(message);
  handleCommand(command).then(
    (value) => send({ id, ok: true, value }),
    (error: unknown) => send({ id, ok: false, error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});
process.on('disconnect', () => process.exit(1));
