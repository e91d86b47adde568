/** How a practice is held: by voice or in writing, with which coach, how hard; and in plain words what leaves this computer. */
import type { CoachKind, DeviceSettings, PracticeBriefing, Profile } from '@parley/contract';
import type { CommunicationStyle, PracticeDifficulty, PracticeStyle } from '@parley/domain';
import { Banner, Button, Card, type Option, optionsOf, Quiet, Segments, Select, Switch } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { sentenceOf } from '../app/error-sentence.ts';
import { useHost } from '../app/host-context.tsx';
import { PROVIDER_NAMES, shortName } from '../app/local-model-names.ts';
import { NoServer } from '../app/no-server.tsx';
import { openWays } from '../app/open-ways.ts';
import { FailureBanner } from '../app/screen.tsx';
import { ToSettings } from '../app/to-settings.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { ClosedWay } from './closed-way.tsx';
import { whereItRuns } from './where-it-runs.ts';

export interface StartCardProps {
  view: PracticeBriefing;
  device: DeviceSettings;
  profile: Profile;
}

const STYLE_NAMES: Record<CommunicationStyle, string> = { audio: 'By voice', text: 'In writing' };
const COACH_KIND_NAMES: Record<CoachKind, string> = { live: 'Freely', guided: 'From the script' };
const TURN_NAMES: Record<PracticeStyle, string> = { turn_based: 'One by one', ultra_realistic: 'As in a call' };
const DIFFICULTY_NAMES: Record<PracticeDifficulty, string> = { easy: 'Easy', intermediate: 'Medium', hard: 'Hard' };
const DIFFICULTY_BY_LEVEL = { beginner: 'easy', intermediate: 'intermediate', advanced: 'hard' } as const;

/** Options of which some are closed. */
const without = <Value extends string>(
  names: Readonly<Record<Value, string>>,
  closed: Readonly<Record<Value, boolean>>,
): Option<Value>[] => optionsOf(names).map((option) => ({ ...option, isDisabled: closed[option.value] }));

export function StartCard({ view, device, profile }: StartCardProps): ReactElement {
  const { client, queries } = useHost();
  const navigate = useNavigate();
  const [style, setStyle] = useState<CommunicationStyle>('audio');
  const [difficulty, setDifficulty] = useState<PracticeDifficulty>(
    profile.practiceDifficulty ?? DIFFICULTY_BY_LEVEL[profile.englishLevel ?? view.card.level],
  );
  // A model on this computer may have been started since.
  const offer = useQuery(queries.coach.offer.queryOptions({ refetchOnMount: 'always' })).data;
  // Minutes may have been used up, or access granted, since they were last asked for.
  const state = useQuery(queries.account.state.queryOptions({ refetchOnMount: 'always' })).data;
  const account = state?.known?.account;
  const mayTry = account !== undefined && account.mayTry && account.email !== null;
  const ways = openWays({ offer, state, style });
  useWarmUp(ways.live === 'open');
  const [wished, setCoachKind] = useState<CoachKind>('live');
  const coachKind: CoachKind = ways.live === 'open' && (wished === 'live' || !view.hasScript) ? 'live' : 'guided';
  const canStart = coachKind === 'live' || view.hasScript;
  const [practiceStyle, setPracticeStyle] = useState<PracticeStyle>(profile.practiceStyle ?? 'turn_based');
  const isCall = coachKind === 'live' && ways.call === 'open' && practiceStyle === 'ultra_realistic';
  // Writing costs no minutes.
  const counted =
    coachKind === 'live' && style === 'audio' ? ((isCall ? account?.calls : account?.live) ?? null) : null;
  const left = counted === null ? '' : `, ${Math.floor(counted.leftS / 60)} left of your plan`;
  const save = useSaveSettings();
  const start = useMutation({
    mutationFn: () =>
      client.practice.start({ practiceId: view.card.practiceId, difficulty, communicationStyle: style, coachKind }),
    onSuccess: ({ sessionId }) => {
      const next = isCall ? `/session/${sessionId}/call` : `/session/${sessionId}`;
      if (style === 'audio' && !device.microphoneChecked) return navigate({ to: '/microphone', search: { next } });
      return navigate({ to: next });
    },
  });
  return (
    <Card>
      <Segments
        label="How do you want to practise?"
        value={style}
        onChange={setStyle}
        options={optionsOf(STYLE_NAMES)}
      />
      {ways.live !== null && (
        <Segments
          label="How does the coach answer?"
          value={coachKind}
          onChange={setCoachKind}
          options={without(COACH_KIND_NAMES, {
            live: ways.live !== 'open',
            guided: !view.hasScript,
          })}
        />
      )}
      {ways.live !== null && ways.live !== 'open' && <ClosedWay way="live" why={ways.live} mayTry={mayTry} />}
      {state?.hasServer === false && (
        <NoServer>
          {view.hasScript
            ? 'To talk freely with a coach, Parley needs a server. The script works without one.'
            : 'This practice has no script, so it needs a live coach, and a live coach needs a server.'}
        </NoServer>
      )}
      {offer?.missing?.includes('coach') === true && device.localCoach !== null && (
        <Banner tone="warn" action={<ToSettings part="coach">Open the settings</ToSettings>}>
          {shortName(device.localCoach)}, your coach on this computer, was not found. Start{' '}
          {PROVIDER_NAMES[device.localCoach.provider]}, then open this page again.
        </Banner>
      )}
      {ways.live === null && !view.hasScript && state?.hasServer !== false && (
        <Banner tone="warn">{sentenceOf('practice.no_dialogue')}</Banner>
      )}
      {coachKind === 'live' && ways.call !== null && (
        <>
          <Segments
            label="How do you take turns?"
            value={isCall ? 'ultra_realistic' : 'turn_based'}
            onChange={(wanted) => {
              setPracticeStyle(wanted);
              save.profile({ practiceStyle: wanted });
            }}
            options={without(TURN_NAMES, { turn_based: false, ultra_realistic: ways.call !== 'open' })}
          />
          {ways.call !== 'open' && <ClosedWay way="call" why={ways.call} mayTry={mayTry} />}
          {isCall && <Quiet small>You both speak when you like, and may interrupt. Headphones work best.</Quiet>}
        </>
      )}
      <Segments label="Difficulty" value={difficulty} onChange={setDifficulty} options={optionsOf(DIFFICULTY_NAMES)} />
      {style === 'audio' && <VoiceChoices device={device} isCall={isCall} />}
      {style === 'text' && <Banner>Writing needs no microphone. Your pronunciation is not scored.</Banner>}
      {start.isError && <FailureBanner error={start.error} />}
      <Button look="primary" large onPress={() => start.mutate()} isDisabled={start.isPending || !canStart}>
        Start
      </Button>
      <Quiet small>
        About {view.card.minutes} minutes{left}. {whereItRuns(offer ?? null, { coachKind, style, isCall })}
      </Quiet>
    </Card>
  );
}

/** A model on the server's own machine is loaded while the learner reads the briefing. */
function useWarmUp(isOpen: boolean): void {
  const { client } = useHost();
  useEffect(() => {
    // What speaks against it is said where it matters: in the conversation.
    if (isOpen) client.coach.warmUp().catch(() => undefined);
  }, [client, isOpen]);
}

/** When a turn ends, and how the coach is heard: kept for the next practice too. */
function VoiceChoices({ device, isCall }: { device: DeviceSettings; isCall: boolean }): ReactElement {
  const save = useSaveSettings();
  return (
    <>
      <Select
        label="Your turn ends"
        value={device.patienceMs === null ? 'button' : String(device.patienceMs)}
        onChange={(value) =>
          save.device({
            patienceMs: value === '1000' ? 1_000 : value === '2000' ? 2_000 : value === '3000' ? 3_000 : null,
          })
        }
        options={[
          { value: 'button', label: isCall ? 'when the coach feels that I am done' : 'when I press the button' },
          { value: '1000', label: 'after 1 second of silence' },
          { value: '2000', label: 'after 2 seconds of silence' },
          { value: '3000', label: 'after 3 seconds of silence' },
        ]}
      />
      {!isCall && (
        <Select
          label="The coach speaks"
          value={String(device.coachSpeed)}
          onChange={(value) => save.device({ coachSpeed: Number(value) })}
          options={[
            { value: '0.75', label: 'slowly' },
            { value: '1', label: 'at normal speed' },
            { value: '1.2', label: 'fast' },
          ]}
        />
      )}
      <Switch isSelected={device.captions} onChange={(captions) => save.device({ captions })}>
        Show what the coach says
      </Switch>
    </>
  );
}
