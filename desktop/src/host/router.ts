/** Which feature answers which call of the contract; nothing is decided here. */
import { implement, type Router } from '@orpc/server';
import { type CallEvent, type CoachSpeaking, desktopContract, type HostEvent } from '@parley/contract';
import type { Account, Exporter, Plans } from './account/index.ts';
import type { Catalogue } from './catalogue/index.ts';
import { type CloudCoach, CoachFailed, type CoachMemory } from './coach/index.ts';
import { failureOfThrown, isExpected, orThrow } from './failure-policy.ts';
import type { History } from './history/index.ts';
import type { Drills } from './drill/index.ts';
import type { HostEvents } from './host-events.ts';
import type { Logger } from './logger.ts';
import { checkMicrophone } from './microphone/index.ts';
import type { Calls, Practice } from './practice/index.ts';
import type { Recordings } from './recordings/index.ts';
import type { Servers } from './server/index.ts';
import type { Settings } from './settings/index.ts';
import type { Sync } from './sync/index.ts';
import type { Today } from './today/index.ts';
import type { Voice } from './voice/index.ts';

export interface Features {
  account: Account;
  exporter: Exporter;
  plans: Plans;
  catalogue: Catalogue;
  practice: Practice;
  calls: Calls;
  coach: CloudCoach;
  memory: CoachMemory;
  drills: Drills;
  history: History;
  today: Today;
  recordings: Recordings;
  voice: Voice;
  settings: Settings;
  servers: Servers;
  sync: Sync;
  events: HostEvents;
  about: () => {
    version: string;
    dataFolder: string;
    serverAddress: string | null;
    scorer: string;
    restoredFrom: Date | null;
  };
  logger: Logger;
  newId: () => string;
}

const WAV_TYPE = 'audio/wav';
const toWav = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)], { type: WAV_TYPE });

/** Of a call over a line that cannot say that it is not wanted any more. */
const NEVER = new AbortController().signal;

/** A coach's failure as the contract's error; anything else is ours to look at. */
async function toldOf(errors: Parameters<typeof orThrow>[0], error: unknown): Promise<void> {
  if (!(error instanceof CoachFailed)) throw error;
  await orThrow(errors, { ok: false, error: error.failure });
}

export function createRouter(features: Features): HostRouter {
  const { account, plans, catalogue, practice, calls, coach, memory, drills, history, today } = features;
  const { recordings, voice, settings, servers, sync, events } = features;
  const os = implement(desktopContract)
    .$context<HostContext>()
    .use(async ({ next, errors }) => {
      try {
        return await next();
      } catch (error) {
        if (isExpected(error)) throw error;
        return orThrow(errors, { ok: false, error: failureOfThrown(error, features) });
      }
    });
  return os.router({
    catalogue: {
      practices: os.catalogue.practices.handler(() => catalogue.practices()),
      briefing: os.catalogue.briefing.handler(({ input, errors }) =>
        orThrow(errors, catalogue.briefing(input.practiceId)),
      ),
      courses: os.catalogue.courses.handler(() => catalogue.courses()),
      coaches: os.catalogue.coaches.handler(() => catalogue.coaches()),
      industries: os.catalogue.industries.handler(() => catalogue.industries()),
    },
    practice: {
      start: os.practice.start.handler(({ input, errors }) => orThrow(errors, practice.start(input))),
      session: os.practice.session.handler(({ input, errors }) => orThrow(errors, practice.session(input))),
      beginTurn: os.practice.beginTurn.handler(({ input, errors, context }) =>
        orThrow(errors, practice.beginTurn(input, context.windowGone)),
      ),
      appendAudio: os.practice.appendAudio.handler(({ input, errors }) => orThrow(errors, practice.appendAudio(input))),
      finishTurn: os.practice.finishTurn.handler(({ input, errors }) => orThrow(errors, practice.finishTurn(input))),
      hearAgain: os.practice.hearAgain.handler(({ input, errors }) => orThrow(errors, practice.hearAgain(input))),
      nameTurn: os.practice.nameTurn.handler(({ input, errors }) => orThrow(errors, practice.nameTurn(input))),
      sendTurn: os.practice.sendTurn.handler(({ input, errors }) => orThrow(errors, practice.sendTurn(input))),
      hearUnsent: os.practice.hearUnsent.handler(({ input, errors }) => orThrow(errors, practice.hearUnsent(input))),
      sendTyped: os.practice.sendTyped.handler(({ input, errors }) => orThrow(errors, practice.sendTyped(input))),
      hearCoach: os.practice.hearCoach.handler(async function* ({
        input,
        errors,
        signal = NEVER,
      }): AsyncGenerator<CoachSpeaking, void> {
        try {
          yield* practice.hearCoach(input, signal);
        } catch (error) {
          await toldOf(errors, error);
        }
      }),
      translate: os.practice.translate.handler(async ({ input, errors }) => ({
        text: await orThrow(errors, coach.translate(input)),
      })),
      draft: os.practice.draft.handler(({ input, errors }) => orThrow(errors, practice.draft(input))),
      keepDraft: os.practice.keepDraft.handler(({ input, errors }) => orThrow(errors, practice.keepDraft(input))),
      takeOver: os.practice.takeOver.handler(({ input, errors }) => orThrow(errors, practice.takeOver(input))),
      hint: os.practice.hint.handler(({ input, errors }) => orThrow(errors, practice.hint(input))),
      pause: os.practice.pause.handler(({ input, errors }) => orThrow(errors, practice.pause(input))),
      resume: os.practice.resume.handler(({ input, errors }) => orThrow(errors, practice.resume(input))),
      finish: os.practice.finish.handler(({ input, errors }) => orThrow(errors, practice.finish(input))),
      discard: os.practice.discard.handler(({ input, errors }) => orThrow(errors, practice.discard(input))),
      result: os.practice.result.handler(({ input, errors }) => orThrow(errors, practice.result(input))),
      writeDown: os.practice.writeDown.handler(({ input, errors }) => orThrow(errors, practice.writeDown(input))),
    },
    call: {
      hold: os.call.hold.handler(async function* ({ input, errors, signal = NEVER }): AsyncGenerator<CallEvent, void> {
        try {
          yield* calls.hold(input, signal);
        } catch (error) {
          await toldOf(errors, error);
        }
      }),
      sound: os.call.sound.handler(({ input, errors }) => orThrow(errors, calls.sound(input))),
      played: os.call.played.handler(({ input, errors }) => orThrow(errors, calls.played(input))),
      giveMeAMoment: os.call.giveMeAMoment.handler(({ input, errors }) => orThrow(errors, calls.giveMeAMoment(input))),
      end: os.call.end.handler(({ input, errors }) => orThrow(errors, calls.end(input))),
    },
    coach: {
      offer: os.coach.offer.handler(() => coach.offer()),
      local: os.coach.local.handler(() => coach.local()),
      warmUp: os.coach.warmUp.handler(() => coach.warmUp()),
      memory: os.coach.memory.handler(() => ({ lines: memory.lines() })),
      forget: os.coach.forget.handler(({ input, errors }) => orThrow(errors, memory.forget(input.line))),
    },
    drill: {
      list: os.drill.list.handler(() => drills.list()),
      attempts: os.drill.attempts.handler(({ input }) => drills.attempts(input)),
      begin: os.drill.begin.handler(({ input, errors }) => orThrow(errors, drills.begin(input))),
      appendAudio: os.drill.appendAudio.handler(({ input, errors }) => orThrow(errors, drills.appendAudio(input))),
      finish: os.drill.finish.handler(({ input, errors }) => orThrow(errors, drills.finish(input))),
    },
    history: { list: os.history.list.handler(({ input }) => history.list(input)) },
    today: { overview: os.today.overview.handler(() => today.overview()) },
    recordings: {
      read: os.recordings.read.handler(async ({ input, errors }) =>
        toWav(await orThrow(errors, recordings.readWav(input.recordingId))),
      ),
    },
    voice: {
      speakLine: os.voice.speakLine.handler(async function* ({
        input,
        errors,
        signal = NEVER,
      }): AsyncGenerator<string, void> {
        try {
          for await (const pcm of voice.speakLine(input, signal)) yield Buffer.from(pcm).toString('base64');
        } catch (error) {
          await toldOf(errors, error);
        }
      }),
      speak: os.voice.speak.handler(async ({ input, errors }) => toWav(await orThrow(errors, voice.speak(input)))),
    },
    microphone: {
      check: os.microphone.check.handler(({ input, errors }) => orThrow(errors, checkMicrophone(input.pcm))),
    },
    settings: {
      read: os.settings.read.handler(() => settings.read()),
      updateDevice: os.settings.updateDevice.handler(({ input }) => settings.updateDevice(onlyGiven(input))),
      updateProfile: os.settings.updateProfile.handler(({ input }) => settings.updateProfile(onlyGiven(input))),
    },
    sync: {
      status: os.sync.status.handler(() => sync.status()),
      run: os.sync.run.handler(() => sync.run()),
      rejected: os.sync.rejected.handler(() => sync.rejected()),
      dismissRejected: os.sync.dismissRejected.handler(({ input }) => sync.dismissRejected(input.id)),
    },
    account: {
      state: os.account.state.handler(() => account.state()),
      requestSignIn: os.account.requestSignIn.handler(({ input, errors }) =>
        orThrow(errors, account.requestSignIn(input.email)),
      ),
      signIn: os.account.signIn.handler(({ input, errors }) => orThrow(errors, account.signIn(input))),
      signInByLink: os.account.signInByLink.handler(({ input, errors }) =>
        orThrow(errors, account.signInByLink(input.link)),
      ),
      whoseLink: os.account.whoseLink.handler(({ input, errors }) => orThrow(errors, account.whoseLink(input.link))),
      signOut: os.account.signOut.handler(({ errors }) => orThrow(errors, account.signOut())),
      requestAccess: os.account.requestAccess.handler(({ errors }) => orThrow(errors, account.requestAccess())),
      requestConfirmation: os.account.requestConfirmation.handler(({ errors }) =>
        orThrow(errors, account.requestConfirmation()),
      ),
      confirm: os.account.confirm.handler(({ input, errors }) => orThrow(errors, account.confirm(input.code))),
      requestDeletion: os.account.requestDeletion.handler(({ errors }) => orThrow(errors, account.requestDeletion())),
      withdrawDeletion: os.account.withdrawDeletion.handler(({ errors }) =>
        orThrow(errors, account.withdrawDeletion()),
      ),
      exportAll: os.account.exportAll.handler(() => features.exporter.exportAll()),
      createLinkCode: os.account.createLinkCode.handler(({ errors }) => orThrow(errors, account.createLinkCode())),
      join: os.account.join.handler(({ input, errors }) => orThrow(errors, account.join(input.code))),
      devices: os.account.devices.handler(({ errors }) => orThrow(errors, account.devices())),
      revokeDevice: os.account.revokeDevice.handler(({ input, errors }) =>
        orThrow(errors, account.revokeDevice(input.deviceId)),
      ),
    },
    billing: {
      plans: os.billing.plans.handler(({ errors }) => orThrow(errors, plans.plans())),
      invoices: os.billing.invoices.handler(({ errors }) => orThrow(errors, plans.invoices())),
      startTrial: os.billing.startTrial.handler(({ errors }) => orThrow(errors, plans.startTrial())),
      checkout: os.billing.checkout.handler(({ input, errors }) => orThrow(errors, plans.checkout(input.priceId))),
      portal: os.billing.portal.handler(({ errors }) => orThrow(errors, plans.portal())),
    },
    server: {
      read: os.server.read.handler(() => servers.read()),
      check: os.server.check.handler(({ input, errors }) => orThrow(errors, servers.check(input.url))),
      change: os.server.change.handler(({ input, errors }) => orThrow(errors, servers.change(input.url))),
    },
    app: {
      about: os.app.about.handler(() => features.about()),
      events: os.app.events.handler(async function* ({ signal }): AsyncGenerator<HostEvent, void> {
        yield* events.listen(signal);
      }),
    },
  });
}

/** What a shell tells of the window that asks. */
export interface HostContext {
  /** Aborts when the window's connection is gone: it was closed, was reloaded, or broke down. */
  windowGone?: AbortSignal;
}

export type HostRouter = Router<typeof desktopContract, HostContext>;

type Given<Changes> = { [Name in keyof Changes]?: Exclude<Changes[Name], undefined> };

/** A field that is given as `undefined` is a field that is not given. */
const onlyGiven = <Changes extends object>(changes: Changes): Given<Changes> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Given<Changes>;
