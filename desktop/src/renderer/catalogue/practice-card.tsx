/** A practice in a list: what it is, how long it takes, with whom, and how it went. */
import type { PracticeCard } from '@parley/contract';
import { Avatar, Badge, cx } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { LEVEL_NAMES } from '../app/level-names.ts';
import css from './catalogue.module.css';

export function PracticeCardView({ card, isWide = false }: { card: PracticeCard; isWide?: boolean }): ReactElement {
  const content = (
    <>
      <img className={css['cover']} src={card.coverImageUrl} alt="" />
      <div className={css['body']}>
        <h3>{card.title}</h3>
        <p className={css['summary']}>{card.descriptionSummary}</p>
        <p className={css['meta']}>
          <Avatar src={card.coachAvatarUrl} size={24} />
          <span>{card.coachName}</span>
          <Badge icon="clock">{card.minutes} min</Badge>
          <Badge>{LEVEL_NAMES[card.level]}</Badge>
          {card.bestScore !== null && <Badge icon="check">best {Math.round(card.bestScore)}</Badge>}
          {card.state === 'coming_soon' && <Badge>coming soon</Badge>}
        </p>
      </div>
    </>
  );
  const className = cx(css['card'], isWide && css['wide']);
  if (card.state === 'coming_soon') return <div className={className}>{content}</div>;
  return (
    <Link to="/practise/$practiceId" params={{ practiceId: card.practiceId }} className={className}>
      {content}
    </Link>
  );
}
