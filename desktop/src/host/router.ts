/** Routes each procedure of the contract to its feature; it makes no decisions. */
import { implement, type Router } from '@orpc/server';
import {
  type CoachAssignment,
  type CoachReplyUpdate,
  desktopContract,
  type HostEvent,
  type RealtimeEvent,
  type RepairOutcome,
} from '@parley/contract';
import type { Account, Plans } from './account/index.ts';
import type { Blog } from './blog/index.ts';
import type { Catalogue } from './catalogue/index.ts';
import type { CoachClient, CoachMemory } from './coach/index.ts';
import type { Courses } from './courses/index.ts';
import { toHostFailure, isContractError, streamOrThrow, unwrapOrThrow } from './error-policy.ts';
import type { History } from './history/index.ts';
import type { Drills } from './drill/index.ts';
import type { HostEvents } from './host-events.ts';
import type { Logger } from './logger.ts';
import { checkMicrophone } from './microphone/index.ts';
import type { RealtimeSessions, Practice } from './practice/index.ts';
import type { Progress } from './progress/index.ts';
import type { KeptRecordings } from './kept-recordings/index.ts';
import type { HostResult } from './result/index.ts';
import type { Review } from './review/index.ts';
import type { ServerChoices } from './server-choice/index.ts';
import type { Settings } from './settings/index.ts';
import type { Shadowing } from './shadowing/index.ts';
import type { Crashes, Support } from './support/index.ts';
import type { Sync } from './sync/index.ts';
import type { Today } from './today/index.ts';
import type { Tray } from './tray/index.ts';
import type { Exporter, Importer } from './transfer/index.ts';
import type { SpeechPack } from './speech-pack/index.ts';
import type { VideoCopies } from './videos/index.ts';
import type { Voice } from './voice/index.ts';

export interface Features {
  account: Account;
  exporter: Exporter;
  importer: Importer;
  plans: Plans;
  catalogue: Catalogue;
  courses: Courses;
  videoCopies: VideoCopies;
  speechPack: SpeechPack;
  blog: Blog;
  practice: Practice;
  calls: RealtimeSessions;
  coach: CoachClient;
  memory: CoachMemory;
  coachHistory: () => CoachAssignment[];
  drills: Drills;
  review: Review;
  progress: Progress;
  shadowing: Shadowing;
  history: History;
  today: Today;
  keptRecordings: KeptRecordings;
  voice: Voice;
  settings: Settings;
  servers: ServerChoices;
  support: Support;
  crashes: Crashes;
  tray: Tray;
  sync: Sync;
  events: HostEvents;
  about: () => {
    version: string;
    dataFolder: string;
    serverAddress: string | null;
    restoredFrom: Date | null;
    repaired: RepairOutcome | null;
    isSafeMode: boolean;
    hasTray: boolean;
  };
  logger: Logger;
  newId: () => string;
}

const WAV_TYPE = 'audio/wav';
const toWav = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)], { type: WAV_TYPE });

/** The signal for a transport that cannot cancel a call. */
const NEVER_ABORTED = new AbortController().signal;

export function createRouter(features: Features): HostRouter {
  const { account, plans, catalogue, courses, practice, calls, coach, memory, drills, history, today } = features;
  const {
    videoCopies,
    speechPack,
    blog,
    importer,
    progress,
    keptRecordings,
    review,
    shadowing,
    voice,
    settings,
    servers,
    support,
    crashes,
    sync,
    tray,
    events,
  } = features;
  const os = implement(desktopContract)
    .$context<HostContext>()
    .use(async ({ next, errors }) => {
      try {
        return await next();
      } catch (error) {
        if (isContractError(error)) throw error;
        return unwrapOrThrow(errors, { ok: false, error: toHostFailure(error, features) });
      }
    });

  /** First fetches the turns of a session that lacks some. Why that failed says more than that they are missing. */
  async function whenDownloaded<Value>(
    sessionId: string,
    read: () => HostResult<Value> | Promise<HostResult<Value>>,
  ): Promise<HostResult<Value>> {
    const fetched = await sync.fetchTurns(sessionId);
    const result = await read();
    const isMissing = !result.ok && result.error.code === 'session.not_downloaded';
    return isMissing && !fetched.ok && fetched.error.code !== 'sync.offline' ? fetched : result;
  }

  return os.router({
    catalogue: {
      practices: os.catalogue.practices.handler(() => catalogue.practices()),
      briefing: os.catalogue.briefing.handler(({ input, errors }) => {
        practice.prepare(input.practiceId);
        return unwrapOrThrow(errors, catalogue.briefing(input.practiceId));
      }),
      coaches: os.catalogue.coaches.handler(() => catalogue.coaches()),
      industries: os.catalogue.industries.handler(() => catalogue.industries()),
    },
    courses: {
      list: os.courses.list.handler(() => courses.list()),
      read: os.courses.read.handler(({ input, errors }) => unwrapOrThrow(errors, courses.read(input))),
      enrol: os.courses.enrol.handler(({ input, errors }) => unwrapOrThrow(errors, courses.enrol(input))),
      leave: os.courses.leave.handler(({ input, errors }) => unwrapOrThrow(errors, courses.leave(input))),
      video: os.courses.video.handler(({ input, errors }) => unwrapOrThrow(errors, courses.video(input))),
      keepPosition: os.courses.keepPosition.handler(({ input }) => courses.keepPosition(input)),
      watched: os.courses.watched.handler(({ input, errors }) => unwrapOrThrow(errors, courses.watched(input))),
    },
    videos: {
      copy: os.videos.copy.handler(({ input }) => videoCopies.copy(input.videoId)),
      copies: os.videos.copies.handler(() => videoCopies.list()),
      keep: os.videos.keep.handler(({ input, errors }) => unwrapOrThrow(errors, videoCopies.keep(input.videoId))),
      remove: os.videos.remove.handler(({ input }) => videoCopies.remove(input.videoId)),
    },
    speechPack: {
      state: os.speechPack.state.handler(() => speechPack.state()),
      find: os.speechPack.find.handler(({ input, errors }) => unwrapOrThrow(errors, speechPack.find(input.address))),
      install: os.speechPack.install.handler(({ input, errors }) =>
        unwrapOrThrow(errors, speechPack.install(input.hash)),
      ),
      stop: os.speechPack.stop.handler(() => speechPack.stop()),
      remove: os.speechPack.remove.handler(() => speechPack.remove()),
      allowSlow: os.speechPack.allowSlow.handler(() => speechPack.allowSlow()),
    },
    blog: {
      list: os.blog.list.handler(({ input }) => blog.list(input)),
      post: os.blog.post.handler(({ input }) => blog.post(input.slug)),
      unread: os.blog.unread.handler(() => ({ count: blog.unread() })),
      markRead: os.blog.markRead.handler(({ input }) => blog.markRead(input.id)),
      markAllRead: os.blog.markAllRead.handler(() => blog.markAllRead()),
    },
    practice: {
      start: os.practice.start.handler(({ input, errors }) => unwrapOrThrow(errors, practice.start(input))),
      session: os.practice.session.handler(({ input, errors }) =>
        unwrapOrThrow(
          errors,
          whenDownloaded(input.sessionId, () => practice.session(input)),
        ),
      ),
      beginTurn: os.practice.beginTurn.handler(({ input, errors, context }) =>
        unwrapOrThrow(errors, practice.beginTurn(input, context.windowClosed)),
      ),
      appendAudio: os.practice.appendAudio.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.appendAudio(input)),
      ),
      finishTurn: os.practice.finishTurn.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.finishTurn(input)),
      ),
      reassessTurn: os.practice.reassessTurn.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.reassessTurn(input)),
      ),
      correctTranscript: os.practice.correctTranscript.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.correctTranscript(input)),
      ),
      sendTurn: os.practice.sendTurn.handler(({ input, errors }) => unwrapOrThrow(errors, practice.sendTurn(input))),
      assessUnsentTurn: os.practice.assessUnsentTurn.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.assessUnsentTurn(input)),
      ),
      sendTyped: os.practice.sendTyped.handler(({ input, errors }) => unwrapOrThrow(errors, practice.sendTyped(input))),
      streamCoachReply: os.practice.streamCoachReply.handler(async function* ({
        input,
        errors,
        signal = NEVER_ABORTED,
      }): AsyncGenerator<CoachReplyUpdate, void> {
        yield* streamOrThrow(errors, practice.streamCoachReply(input, signal));
      }),
      translate: os.practice.translate.handler(async ({ input, errors }) => ({
        text: await unwrapOrThrow(errors, coach.translate(input)),
      })),
      draft: os.practice.draft.handler(({ input, errors }) => unwrapOrThrow(errors, practice.draft(input))),
      keepDraft: os.practice.keepDraft.handler(({ input, errors }) => unwrapOrThrow(errors, practice.saveDraft(input))),
      takeOver: os.practice.takeOver.handler(({ input, errors }) => unwrapOrThrow(errors, practice.takeOver(input))),
      hint: os.practice.hint.handler(({ input, errors }) => unwrapOrThrow(errors, practice.hint(input))),
      goOn: os.practice.goOn.handler(({ input, errors }) => unwrapOrThrow(errors, practice.goOn(input))),
      switchCoach: os.practice.switchCoach.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.switchCoach(input)),
      ),
      pause: os.practice.pause.handler(({ input, errors }) => unwrapOrThrow(errors, practice.pause(input))),
      resume: os.practice.resume.handler(({ input, errors }) => unwrapOrThrow(errors, practice.resume(input))),
      finish: os.practice.finish.handler(({ input, errors }) =>
        unwrapOrThrow(
          errors,
          whenDownloaded(input.sessionId, () => practice.finish(input)),
        ),
      ),
      discard: os.practice.discard.handler(({ input, errors }) => unwrapOrThrow(errors, practice.discard(input))),
      result: os.practice.result.handler(({ input, errors }) =>
        unwrapOrThrow(
          errors,
          whenDownloaded(input.sessionId, () => practice.result(input)),
        ),
      ),
      retranscribe: os.practice.retranscribe.handler(({ input, errors }) =>
        unwrapOrThrow(errors, practice.retryTranscription(input)),
      ),
    },
    call: {
      start: os.call.start.handler(async function* ({
        input,
        errors,
        signal = NEVER_ABORTED,
      }): AsyncGenerator<RealtimeEvent, void> {
        yield* streamOrThrow(errors, calls.open(input, signal));
      }),
      sound: os.call.sound.handler(({ input, errors }) => unwrapOrThrow(errors, calls.pushAudio(input))),
      played: os.call.played.handler(({ input, errors }) => unwrapOrThrow(errors, calls.played(input))),
      setOnHold: os.call.setOnHold.handler(({ input, errors }) => unwrapOrThrow(errors, calls.setOnHold(input))),
      end: os.call.end.handler(({ input, errors }) => unwrapOrThrow(errors, calls.end(input))),
    },
    coach: {
      offer: os.coach.offer.handler(() => coach.offer()),
      local: os.coach.local.handler(() => coach.listLocalModels()),
      warmUp: os.coach.warmUp.handler(() => coach.warmUp()),
      memory: os.coach.memory.handler(() => ({ lines: memory.lines() })),
      history: os.coach.history.handler(() => features.coachHistory()),
      forget: os.coach.forget.handler(({ input, errors }) => unwrapOrThrow(errors, memory.forgetLine(input.line))),
    },
    drill: {
      list: os.drill.list.handler(() => drills.list()),
      attempts: os.drill.attempts.handler(({ input }) => drills.attempts(input)),
      begin: os.drill.begin.handler(({ input, errors }) => unwrapOrThrow(errors, drills.begin(input))),
      appendAudio: os.drill.appendAudio.handler(({ input, errors }) =>
        unwrapOrThrow(errors, drills.appendAudio(input)),
      ),
      finish: os.drill.finish.handler(({ input, errors }) => unwrapOrThrow(errors, drills.finish(input))),
    },
    review: {
      due: os.review.due.handler(() => review.due()),
      cards: os.review.cards.handler(({ input }) => review.cards(input)),
      ofSession: os.review.ofSession.handler(({ input }) => review.ofSession(input)),
      words: os.review.words.handler(({ input }) => review.words(input)),
      grade: os.review.grade.handler(({ input }) => review.grade(input)),
      undo: os.review.undo.handler(({ input, errors }) => unwrapOrThrow(errors, review.undo(input))),
      add: os.review.add.handler(({ input, errors }) => unwrapOrThrow(errors, review.add(input))),
      mark: os.review.mark.handler(({ input, errors }) => unwrapOrThrow(errors, review.mark(input))),
    },
    progress: {
      overview: os.progress.overview.handler(({ input }) => progress.overview(input)),
      sessions: os.progress.sessions.handler(({ input }) => progress.sessions(input)),
    },
    shadowing: {
      model: os.shadowing.model.handler(({ input, errors }) => unwrapOrThrow(errors, shadowing.model(input))),
    },
    history: {
      list: os.history.list.handler(({ input }) => history.list(input)),
      remove: os.history.remove.handler(({ input, errors }) => unwrapOrThrow(errors, history.remove(input))),
      restore: os.history.restore.handler(({ input, errors }) => unwrapOrThrow(errors, history.restore(input))),
    },
    today: { overview: os.today.overview.handler(() => today.overview()) },
    recordings: {
      read: os.recordings.read.handler(async ({ input, errors }) =>
        toWav(await unwrapOrThrow(errors, keptRecordings.readWav(input.recordingId))),
      ),
      place: os.recordings.place.handler(({ input }) => ({ place: keptRecordings.place(input.recordingId) })),
      keeping: os.recordings.keeping.handler(() => keptRecordings.keeping()),
      keep: os.recordings.keep.handler(({ input, errors }) => unwrapOrThrow(errors, keptRecordings.choose(input))),
    },
    voice: {
      speakLine: os.voice.speakLine.handler(async function* ({
        input,
        errors,
        signal = NEVER_ABORTED,
      }): AsyncGenerator<string, void> {
        for await (const pcm of streamOrThrow(errors, voice.streamUtterance(input, signal)))
          yield Buffer.from(pcm).toString('base64');
      }),
      speak: os.voice.speak.handler(async ({ input, errors }) =>
        toWav(await unwrapOrThrow(errors, voice.speak(input))),
      ),
    },
    microphone: {
      check: os.microphone.check.handler(({ input, errors }) => unwrapOrThrow(errors, checkMicrophone(input.pcm))),
    },
    settings: {
      read: os.settings.read.handler(() => settings.read()),
      updateDevice: os.settings.updateDevice.handler(({ input }) => settings.updateDevice(omitUndefined(input))),
      updateProfile: os.settings.updateProfile.handler(({ input }) => settings.updateProfile(omitUndefined(input))),
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
        unwrapOrThrow(errors, account.requestSignIn(input.email)),
      ),
      signIn: os.account.signIn.handler(({ input, errors }) => unwrapOrThrow(errors, account.signIn(input))),
      signInByLink: os.account.signInByLink.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.signInByLink(input.link)),
      ),
      whoseLink: os.account.whoseLink.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.emailOfSignInLink(input.link)),
      ),
      signOut: os.account.signOut.handler(({ errors }) => unwrapOrThrow(errors, account.signOut())),
      requestAccess: os.account.requestAccess.handler(({ errors }) => unwrapOrThrow(errors, account.requestAccess())),
      requestConfirmation: os.account.requestConfirmation.handler(({ errors }) =>
        unwrapOrThrow(errors, account.requestConfirmation()),
      ),
      confirm: os.account.confirm.handler(({ input, errors }) => unwrapOrThrow(errors, account.confirm(input.code))),
      requestDeletion: os.account.requestDeletion.handler(({ errors }) =>
        unwrapOrThrow(errors, account.requestDeletion()),
      ),
      withdrawDeletion: os.account.withdrawDeletion.handler(({ errors }) =>
        unwrapOrThrow(errors, account.withdrawDeletion()),
      ),
      exportAll: os.account.exportAll.handler(() => features.exporter.exportAll()),
      createLinkCode: os.account.createLinkCode.handler(({ errors }) =>
        unwrapOrThrow(errors, account.createLinkCode()),
      ),
      join: os.account.join.handler(({ input, errors }) => unwrapOrThrow(errors, account.join(input.code))),
      devices: os.account.devices.handler(({ errors }) => unwrapOrThrow(errors, account.devices())),
      revokeDevice: os.account.revokeDevice.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.revokeDevice(input.deviceId)),
      ),
    },
    import: {
      begin: os.import.begin.handler(() => importer.begin()),
      append: os.import.append.handler(({ input, errors }) => unwrapOrThrow(errors, importer.append(input))),
      preview: os.import.preview.handler(({ input, errors }) => unwrapOrThrow(errors, importer.preview(input))),
      apply: os.import.apply.handler(({ input, errors }) => unwrapOrThrow(errors, importer.apply(input))),
      progress: os.import.progress.handler(({ input, errors }) => unwrapOrThrow(errors, importer.progress(input))),
      cancel: os.import.cancel.handler(({ input }) => importer.cancel(input)),
    },
    billing: {
      plans: os.billing.plans.handler(({ errors }) => unwrapOrThrow(errors, plans.plans())),
      invoices: os.billing.invoices.handler(({ errors }) => unwrapOrThrow(errors, plans.invoices())),
      startTrial: os.billing.startTrial.handler(({ errors }) => unwrapOrThrow(errors, plans.startTrial())),
      checkout: os.billing.checkout.handler(({ input, errors }) =>
        unwrapOrThrow(errors, plans.checkout(input.priceId)),
      ),
      portal: os.billing.portal.handler(({ errors }) => unwrapOrThrow(errors, plans.portal())),
    },
    server: {
      read: os.server.read.handler(() => servers.read()),
      check: os.server.check.handler(({ input, errors }) => unwrapOrThrow(errors, servers.check(input.url))),
      change: os.server.change.handler(({ input, errors }) => unwrapOrThrow(errors, servers.change(input))),
    },
    support: {
      report: os.support.report.handler(() => support.report()),
      saveReport: os.support.saveReport.handler(({ errors }) => unwrapOrThrow(errors, support.saveReport())),
      repair: os.support.repair.handler(({ errors }) => unwrapOrThrow(errors, support.repair())),
      crashes: os.support.crashes.handler(() => crashes.list()),
      noteCrash: os.support.noteCrash.handler(({ input }) => crashes.note(input)),
      sendCrashes: os.support.sendCrashes.handler(({ input, errors }) =>
        unwrapOrThrow(errors, crashes.send(input.ids)),
      ),
      deleteCrashes: os.support.deleteCrashes.handler(() => crashes.deleteAll()),
      setSafeMode: os.support.setSafeMode.handler(({ input, errors }) =>
        unwrapOrThrow(errors, support.setSafeMode(input.isOn)),
      ),
    },
    tray: { setTexts: os.tray.setTexts.handler(({ input }) => tray.setTexts(input)) },
    app: {
      about: os.app.about.handler(() => features.about()),
      events: os.app.events.handler(async function* ({ signal }): AsyncGenerator<HostEvent, void> {
        yield* events.listen(signal);
      }),
    },
  });
}

/** What the shell knows about the calling window. */
export interface HostContext {
  /** Aborts when the window's connection is lost because the window was closed, was reloaded or crashed. */
  windowClosed?: AbortSignal;
}

export type HostRouter = Router<typeof desktopContract, HostContext>;

type Defined<Changes> = { [Name in keyof Changes]?: Exclude<Changes[Name], undefined> };

/** Removes fields whose value is `undefined`, so that they are not written. */
const omitUndefined = <Changes extends object>(changes: Changes): Defined<Changes> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<Changes>;
