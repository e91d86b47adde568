/** Shows a recording that could not be scored: a picture of what happened, its name and what to do. */
import { t } from '@parley/i18n';
import type { UnusableCause, UnusableReason } from '@parley/domain';
import { Banner, Button, Notice, Row, type SpeechPictureName } from '@parley/ui';
import type { ReactElement, ReactNode } from 'react';
import { unusableSentence } from '../sentences/unusable-sentence.ts';

interface Problem {
  picture: SpeechPictureName;
  title: string;
  advice: string;
  /** Whether another microphone may help. */
  isOfMicrophone: boolean;
}

const PROBLEMS: Record<UnusableReason | 'too_quiet' | 'first_part', Problem | null> = {
  silent: {
    picture: 'silence',
    title: t('We couldn’t hear you'),
    advice: t('Check that the microphone isn’t muted, or choose another one.'),
    isOfMicrophone: true,
  },
  too_quiet: {
    picture: 'too_quiet',
    title: t('Too quiet to score'),
    advice: t('You spoke, but the microphone hardly heard you. Move closer, or choose another one.'),
    isOfMicrophone: true,
  },
  clipped: {
    picture: 'too_loud',
    title: t('Too loud to score'),
    advice: t('The loud parts were cut off. Turn the microphone down, or move a hand’s width away.'),
    isOfMicrophone: false,
  },
  noisy: {
    picture: 'noise',
    title: t('Too noisy to score fairly'),
    advice: t('Something else is as loud as you are. Close the window, or put on a headset.'),
    isOfMicrophone: true,
  },
  too_short: {
    picture: 'too_short',
    title: t('That was too short'),
    advice: t('Say the whole sentence, up to its last word. There’s no hurry.'),
    isOfMicrophone: false,
  },
  first_part: {
    picture: 'too_short',
    title: t('Only the first part was heard'),
    advice: t('Say the whole sentence, up to its last word. There’s no hurry.'),
    isOfMicrophone: false,
  },
  not_the_text: null,
};

export interface UnusableNoticeProps {
  problem: { reason: UnusableReason; cause?: UnusableCause | undefined };
  /** The buttons, if they belong to the notice. */
  actions?: ReactNode;
  /** Offered where another microphone may help. */
  onChooseMicrophone?: () => void;
}

export function UnusableNotice({
  problem: { reason, cause },
  actions,
  onChooseMicrophone,
}: UnusableNoticeProps): ReactElement {
  const problem = cause === 'free_speech' ? null : PROBLEMS[cause ?? reason];
  if (problem === null)
    return (
      <>
        <Banner tone="warn">{unusableSentence({ reason, cause })}</Banner>
        {actions !== undefined && <Row>{actions}</Row>}
      </>
    );
  const microphone = problem.isOfMicrophone && onChooseMicrophone !== undefined && (
    <Button variant="quiet" onPress={onChooseMicrophone}>
      {t('Choose a microphone')}
    </Button>
  );
  return (
    <Notice
      picture={problem.picture}
      title={problem.title}
      actions={
        (actions !== undefined || microphone !== false) && (
          <>
            {actions}
            {microphone}
          </>
        )
      }
    >
      {problem.advice}
    </Notice>
  );
}
