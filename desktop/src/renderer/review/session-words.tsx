/** The words of a session that are on the learner's list: each can be heard, from the learner and from the model, and reviewed. */
import { t } from '@parley/i18n';
import type { SessionId } from '@parley/domain';
import { Badge, Button, Card, Row, ScoreNumber, typographic } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useSpeaker } from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { OwnClip } from './own-clip.tsx';
import css from './review.module.css';
import { STATUS_NAMES } from './word-list.tsx';

export function SessionWords({ sessionId }: { sessionId: SessionId }): ReactElement | null {
  const { queries } = useHost();
  const navigate = useNavigate();
  const speaker = useSpeaker();
  const query = useQuery(queries.review.ofSession.queryOptions({ input: { sessionId } }));
  if (query.isError) return <ErrorBanner error={query.error} onRetry={() => void query.refetch()} />;
  const words = query.data?.words ?? [];
  if (words.length === 0) return null;
  const listed = words.filter(({ status }) => status === 'listed').map(({ word }) => word);
  return (
    <Card>
      <h2>{t('Words to practise')}</h2>
      <ul className={css['list']} aria-label={t('Words to practise')}>
        {words.map(({ word, ipa, latest, recent, status }) => (
          <li key={word} className={css['sessionWord']}>
            <Button icon="speaker" onPress={() => void speaker.speak(word)}>
              <span lang="en">{typographic(word)}</span>
            </Button>
            {ipa !== '' && <span className={css['itemIpa']}>/{ipa}/</span>}
            <ScoreNumber score={recent.at(-1) ?? null} label={typographic(word)} />
            <OwnClip word={word} latest={latest} />
            {STATUS_NAMES[status] !== undefined && <Badge>{STATUS_NAMES[status]}</Badge>}
          </li>
        ))}
      </ul>
      {listed.length > 0 && (
        <Row>
          <Button icon="microphone" onPress={() => void navigate({ to: '/review', search: { words: listed } })}>
            {t('{count, plural, one {Review one word} other {Review # words}}', { count: listed.length })}
          </Button>
        </Row>
      )}
    </Card>
  );
}
