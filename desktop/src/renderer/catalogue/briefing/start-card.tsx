/** Chooses how to practise, and says in plain words what leaves this computer. */
import { t } from '@parley/i18n';
import type { CoachKind, CoursePlace, DeviceSettings, PracticeBriefing, Profile } from '@parley/contract';
import {
  type CommunicationStyle,
  joinSentences,
  type PracticeDifficulty,
  type PracticeStyle,
  startDifficulty,
} from '@parley/domain';
import { Banner, Button, Card, type Option, toOptions, MutedText, SegmentedControl, Select, Switch } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { sentenceForCode } from '../../foundation/sentences/error-sentence.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { PROVIDER_NAMES, shortModelName } from '../../foundation/sentences/local-model-names.ts';
import { NoServerBanner } from '../../foundation/screen/no-server-banner.tsx';
import { findAvailableModes } from '../../foundation/available-modes.ts';
import {
  automaticTurnEndSentence,
  CALL_TURN_END_OPTIONS,
  settingsOfTurnEnd,
  TURN_END_OPTIONS,
  turnEndOf,
} from '../../foundation/turn-end.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { SettingsButton } from '../../foundation/screen/settings-button.tsx';
import { useSaveSettings } from '../../foundation/host/use-save-settings.ts';
import { UnavailableMode } from './unavailable-mode.tsx';
import { describeProviderLocations } from './provider-locations.ts';

export interface StartCardProps {
  view: PracticeBriefing;
  device: DeviceSettings;
  profile: Profile;
  /** The course from which the practice was opened, if any. */
  place: CoursePlace | null;
}

interface StartCardChoice {
  /** The difficulty that another screen suggests. */
  asked: PracticeDifficulty | undefined;
}

const STYLE_NAMES: Record<CommunicationStyle, string> = { audio: t('By voice'), text: t('In writing') };
const COACH_KIND_NAMES: Record<CoachKind, string> = { model: t('Live coach'), guided: t('Guided coach') };
const PRACTICE_STYLE_NAMES: Record<PracticeStyle, string> = {
  turn_based: t('Taking turns'),
  ultra_realistic: t('As a call'),
};
const DIFFICULTY_NAMES: Record<PracticeDifficulty, string> = {
  easy: t('Easy'),
  intermediate: t('Medium'),
  hard: t('Hard'),
};

/** Builds options of which some are disabled. */
const optionsWithDisabled = <Value extends string>(
  names: Readonly<Record<Value, string>>,
  closed: Readonly<Record<Value, boolean>>,
): Option<Value>[] => toOptions(names).map((option) => ({ ...option, isDisabled: closed[option.value] }));

export function StartCard({ view, device, profile, place, asked }: StartCardProps & StartCardChoice): ReactElement {
  const { client, queries } = useHost();
  const navigate = useNavigate();
  const [style, setStyle] = useState<CommunicationStyle>('audio');
  const [difficulty, setDifficulty] = useState<PracticeDifficulty>(asked ?? startDifficulty(profile, view.card.level));
  // Refetched because a local model may have been started since.
  const offer = useQuery(queries.coach.offer.queryOptions({ refetchOnMount: 'always' })).data;
  // Refetched because the remaining minutes or the access may have changed.
  const state = useQuery(queries.account.state.queryOptions({ refetchOnMount: 'always' })).data;
  const account = state?.known?.account;
  const mayTry = account !== undefined && account.mayTry && account.email !== null;
  const modes = findAvailableModes({ offer, state, style });
  useModelWarmUp(modes.live === 'open');
  const [chosenCoachKind, setChosenCoachKind] = useState<CoachKind>('model');
  const coachKind: CoachKind =
    modes.live === 'open' && (chosenCoachKind === 'model' || !view.hasScript) ? 'model' : 'guided';
  const canStart = coachKind === 'model' || view.hasScript;
  const [practiceStyle, setPracticeStyle] = useState<PracticeStyle>(profile.practiceStyle ?? 'turn_based');
  const isRealtime = coachKind === 'model' && modes.call === 'open' && practiceStyle === 'ultra_realistic';
  // Writing uses no minutes.
  const allowance =
    coachKind === 'model' && style === 'audio' ? ((isRealtime ? account?.calls : account?.live) ?? null) : null;
  const save = useSaveSettings();
  const start = useMutation({
    mutationFn: () =>
      client.practice.start({
        practiceId: view.card.practiceId,
        difficulty,
        communicationStyle: style,
        coachKind,
        place,
      }),
    onSuccess: ({ sessionId }) => {
      const next = isRealtime ? `/session/${sessionId}/call` : `/session/${sessionId}`;
      if (style === 'audio' && !device.microphoneChecked) return navigate({ to: '/microphone', search: { next } });
      return navigate({ to: next });
    },
  });
  return (
    <Card>
      <SegmentedControl
        label={t('How do you want to practise?')}
        value={style}
        onChange={setStyle}
        options={toOptions(STYLE_NAMES)}
      />
      {modes.live !== null && (
        <SegmentedControl
          label={t('Which kind of coach?')}
          value={coachKind}
          onChange={setChosenCoachKind}
          options={optionsWithDisabled(COACH_KIND_NAMES, {
            model: modes.live !== 'open',
            guided: !view.hasScript,
          })}
        />
      )}
      {modes.live !== null && modes.live !== 'open' && (
        <UnavailableMode mode="live" reason={modes.live} canStartTrial={mayTry} />
      )}
      {state?.hasServer === false && (
        <NoServerBanner>
          {view.hasScript
            ? t('To talk freely with a coach, Parley needs a server. The guided practice works without one.')
            : t('This practice has no guided version, so it needs a live coach, and a live coach needs a server.')}
        </NoServerBanner>
      )}
      {offer?.missing?.includes('coach') === true && device.localCoach !== null && (
        <Banner tone="warn" action={<SettingsButton part="coach">{t('Open the settings')}</SettingsButton>}>
          {t('{localCoach}, your coach on this computer, wasn’t found. Start {name}, then open this page again.', {
            localCoach: shortModelName(device.localCoach),
            name: PROVIDER_NAMES[device.localCoach.provider],
          })}
        </Banner>
      )}
      {modes.live === null && !view.hasScript && state?.hasServer !== false && (
        <Banner tone="warn">{sentenceForCode('practice.no_dialogue')}</Banner>
      )}
      {coachKind === 'model' && modes.call !== null && (
        <>
          <SegmentedControl
            label={t('How do you want to talk?')}
            value={isRealtime ? 'ultra_realistic' : 'turn_based'}
            onChange={(wanted) => {
              setPracticeStyle(wanted);
              save.profile({ practiceStyle: wanted });
            }}
            options={optionsWithDisabled(PRACTICE_STYLE_NAMES, {
              turn_based: false,
              ultra_realistic: modes.call !== 'open',
            })}
          />
          {modes.call !== 'open' && <UnavailableMode mode="call" reason={modes.call} canStartTrial={mayTry} />}
          {isRealtime && (
            <MutedText small>
              {t('You can both speak at any time and interrupt each other. Headphones work best.')}
            </MutedText>
          )}
        </>
      )}
      <SegmentedControl
        label={t('Difficulty')}
        value={difficulty}
        onChange={(wanted) => {
          setDifficulty(wanted);
          save.profile({ practiceDifficulty: wanted });
        }}
        options={toOptions(DIFFICULTY_NAMES)}
      />
      {style === 'audio' && <VoiceSettings device={device} isCall={isRealtime} />}
      {style === 'text' && <Banner>{t('Writing needs no microphone. Your pronunciation isn’t scored.')}</Banner>}
      {start.isError && <ErrorBanner error={start.error} />}
      <Button
        variant="speak"
        icon={style === 'audio' ? 'microphone' : 'keyboard'}
        large
        onPress={() => start.mutate()}
        isDisabled={start.isPending || !canStart}
      >
        {t('Start')}
      </Button>
      <MutedText small>
        {joinSentences(t, [
          t('{minutes, plural, one {About # minute.} other {About # minutes.}}', { minutes: view.card.minutes }),
          ...(allowance === null ? [] : [leftOnPlanSentence(Math.floor(allowance.leftS / 60), isRealtime)]),
          describeProviderLocations(offer ?? null, { coachKind, style, isCall: isRealtime }),
        ])}
      </MutedText>
    </Card>
  );
}

/** Loads a self-hosted model while the learner reads the briefing. */
function useModelWarmUp(isOpen: boolean): void {
  const { client } = useHost();
  useEffect(() => {
    // Errors are ignored here and shown in the session, where they matter.
    if (isOpen) client.coach.warmUp().catch(() => undefined);
  }, [client, isOpen]);
}

/** Voice settings that are remembered for the next practice. */
function VoiceSettings({ device, isCall }: { device: DeviceSettings; isCall: boolean }): ReactElement {
  const save = useSaveSettings();
  const turnEnd = turnEndOf(device);
  return (
    <>
      <Select
        label={t('Your turn ends')}
        value={isCall && turnEnd === 'button' ? 'automatic' : turnEnd}
        onChange={(value) =>
          // The settings of a call do not apply to a turn-based practice.
          save.device(isCall && value === 'automatic' ? { patienceMs: null } : settingsOfTurnEnd(value))
        }
        options={isCall ? CALL_TURN_END_OPTIONS : TURN_END_OPTIONS}
      />
      {!isCall && turnEnd === 'automatic' && <MutedText small>{automaticTurnEndSentence()}</MutedText>}
      {!isCall && (
        <Select
          label={t('The coach speaks')}
          value={String(device.coachSpeed)}
          onChange={(value) => save.device({ coachSpeed: Number(value) })}
          options={[
            { value: '0.75', label: t('Slowly') },
            { value: '1', label: t('At normal speed') },
            { value: '1.2', label: t('Fast') },
          ]}
        />
      )}
      <Switch isSelected={device.captions} onChange={(captions) => save.device({ captions })}>
        {t('Show what the coach says')}
      </Switch>
    </>
  );
}

/** Minutes for calls are a part of the plan's minutes. */
const leftOnPlanSentence = (minutes: number, isCall: boolean): string =>
  isCall
    ? t(
        '{minutes, plural, one {# minute left for calls on your plan.} other {# minutes left for calls on your plan.}}',
        {
          minutes,
        },
      )
    : t('{minutes, plural, one {# minute left on your plan.} other {# minutes left on your plan.}}', { minutes });
