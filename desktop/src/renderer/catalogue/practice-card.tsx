/** A practice in a list, with its length, coach and best score. */
import { t } from '@parley/i18n';
import type { PracticeCard } from '@parley/contract';
import { Cover, cx, Icon } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Explanation } from '../foundation/language/explanations.tsx';
import { LEVEL_NAMES } from '../foundation/sentences/level-names.ts';
import css from './catalogue.module.css';
import { PracticeLock } from './practice-lock.tsx';

/** What the two voices of its cover say: the summary, and the title as the learner's answer. */
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

export function PracticeCardView({ card, isRow = false }: { card: PracticeCard; isRow?: boolean }): ReactElement {
  const content = (
    <>
      <PracticeCover card={card} />
      <div className={css['body']}>
        <h3>
          <span lang="en">{card.title}</span>
        </h3>
        <p className={css['summary']}>
          <Explanation english={card.descriptionSummary} coachName={card.coachName} />
        </p>
        {!isRow && <PracticeFacts card={card} />}
        {card.state === 'ready' && !card.hasScript && <PracticeLock />}
      </div>
      {isRow && <PracticeFacts card={card} />}
    </>
  );
  const className = cx(css['card'], isRow && css['row']);
  if (card.state === 'coming_soon') return <div className={className}>{content}</div>;
  return (
    <Link to="/practise/$practiceId" params={{ practiceId: card.practiceId }} className={className}>
      {content}
    </Link>
  );
}
