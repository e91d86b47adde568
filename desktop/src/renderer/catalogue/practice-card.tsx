/** A practice in a list, with its length, coach and best score. */
import { t } from '@parley/i18n';
import type { PracticeCard } from '@parley/contract';
import { coachColor, Cover, cx, Icon, typographic } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation } from '../foundation/language/explanations.tsx';
import { LEVEL_NAMES } from '../foundation/sentences/level-names.ts';
import css from './catalogue.module.css';
import { PracticeLock } from './practice-lock.tsx';
import { useRestingPointer } from './use-resting-pointer.ts';

/** The texts of the two voices on its cover: the summary, and the title as the learner's answer. */
export const PracticeCover = ({ card }: { card: PracticeCard }): ReactElement => (
  <Cover
    imageUrl={card.coverImageUrl}
    source={{ ...card, said: { coach: [card.descriptionSummary], learner: [card.title] } }}
  />
);

export const PracticeFacts = ({ card }: { card: PracticeCard }): ReactElement => (
  <p className={css['meta']}>
    <span>{card.coachName}</span>
    <span>{t('{minutes} min', { minutes: card.minutes })}</span>
    <span>{LEVEL_NAMES[card.level]}</span>
    {card.bestScore !== null && <strong>{t('best {bestScore}', { bestScore: Math.round(card.bestScore) })}</strong>}
    {card.state === 'coming_soon' && (
      <strong className={css['locked']}>
        <Icon name="lock" size={14} /> {t('coming soon')}
      </strong>
    )}
  </p>
);

/** The coach's first line, once it is loaded. */
function FirstLine({ card, isRow }: { card: PracticeCard; isRow: boolean }): ReactElement | null {
  const { queries } = useHost();
  const { practiceId } = card;
  const line = useQuery(queries.catalogue.firstLine.queryOptions({ input: { practiceId } })).data?.line;
  if (typeof line !== 'string') return null;
  return (
    // It would make the name of the link long, and the description of the practice already contains it.
    <p
      className={css[isRow ? 'firstLineInRow' : 'firstLine']}
      style={coachColor(card.coachName)}
      lang="en"
      dir="ltr"
      aria-hidden="true"
    >
      <span>“{typographic(line)}”</span>
    </p>
  );
}

export interface PracticeCardViewProps {
  card: PracticeCard;
  isRow?: boolean;
  headingLevel?: 2 | 3;
}

/** While the mouse rests on the cover, or the keyboard focus on the card, the cover shows the coach's first line. */
export function PracticeCardView({ card, isRow = false, headingLevel = 3 }: PracticeCardViewProps): ReactElement {
  const Heading = `h${headingLevel}` as const;
  const { isResting, pointerHandlers, focusHandlers } = useRestingPointer();
  const isReady = card.state === 'ready';
  const firstLine = isResting && <FirstLine card={card} isRow={isRow} />;
  const content = (
    <>
      <div className={css['cover']} {...(isReady && pointerHandlers)}>
        <PracticeCover card={card} />
        {!isRow && firstLine}
      </div>
      <div className={css['body']}>
        <Heading className={css['title']}>
          <span lang="en">{card.title}</span>
        </Heading>
        <div className={css['summary']}>
          <p>
            <Explanation english={card.descriptionSummary} coachName={card.coachName} />
          </p>
          {/* The cover of a row is too small for a sentence. */}
          {isRow && firstLine}
        </div>
        {!isRow && <PracticeFacts card={card} />}
        {isReady && !card.hasScript && <PracticeLock />}
      </div>
      {isRow && <PracticeFacts card={card} />}
    </>
  );
  const className = cx(css['card'], isRow && css['row']);
  if (!isReady) return <div className={className}>{content}</div>;
  return (
    <Link to="/practise/$practiceId" params={{ practiceId: card.practiceId }} className={className} {...focusHandlers}>
      {content}
    </Link>
  );
}
