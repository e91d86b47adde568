/** A section of a course: its practices and videos in order, or why it is locked and what opens it. */
import { t } from '@parley/i18n';
import type { CourseCard, CourseItemView, CourseSectionView } from '@parley/contract';
import type { SectionLock } from '@parley/domain';
import { Badge, Button, cx, Icon, MutedText, Row, ScoreNumber } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PracticeCover } from '../catalogue/index.ts';
import { Explanation } from '../foundation/language/explanations.tsx';
import { ItemLink, itemTitle } from './course-parts.tsx';
import css from './courses.module.css';

export interface CourseSectionProps {
  courseId: CourseCard['courseId'];
  section: CourseSectionView;
  number: number;
  nextItem: CourseItemView | null;
}

export function CourseSection({ courseId, section, number, nextItem }: CourseSectionProps): ReactElement {
  const headingId = `section-${section.courseSectionId}`;
  return (
    <section className={css['section']} aria-labelledby={headingId}>
      <div>
        <Row>
          <h2 id={headingId}>
            {number}. <span lang="en">{section.title}</span>
          </h2>
          {section.lock !== null && <Badge icon="lock">{t('Locked')}</Badge>}
        </Row>
        <p className={css['description']}>
          <Explanation english={section.descriptions} />
        </p>
        {section.isKeptOpen && <MutedText small>{t('You’ve started this section, so it stays open.')}</MutedText>}
      </div>
      {section.lock !== null && (
        <Lock lock={section.lock} hasPractices={section.items.some(({ kind }) => kind === 'practice')} />
      )}
      <ol>
        {section.items.map((item) => (
          <li key={`${item.kind}/${itemId(item)}`}>
            <Item
              courseId={courseId}
              item={item}
              isLocked={section.lock !== null}
              isNext={nextItem !== null && itemId(nextItem) === itemId(item)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

const itemId = (item: CourseItemView): string =>
  item.kind === 'practice' ? item.practice.practiceId : item.video.videoId;

const LOCK_SENTENCES: Record<SectionLock, string> = {
  plan: t('The free plan includes the first section of each course. Plus and Pro include every section.'),
  unconfirmed: t(
    'Parley hasn’t reached the server for three days, so it can’t check your plan. Connect to the internet to check it.',
  ),
  coming_soon: t('This section isn’t ready yet. You’ll find it here when it is.'),
};

/** A plan opens courses; a single practice is open to everyone, as the public pricing page promises. */
function Lock({ lock, hasPractices }: { lock: SectionLock; hasPractices: boolean }): ReactElement {
  const navigate = useNavigate();
  return (
    <div className={css['lock']}>
      <MutedText>{LOCK_SENTENCES[lock]}</MutedText>
      {hasPractices && lock !== 'coming_soon' && (
        <MutedText>{t('You can still do its practices one by one under Practise.')}</MutedText>
      )}
      {lock === 'plan' && <Button onPress={() => void navigate({ to: '/plan' })}>{t('See the plans')}</Button>}
    </div>
  );
}

interface ItemProps {
  courseId: CourseCard['courseId'];
  item: CourseItemView;
  isLocked: boolean;
  isNext: boolean;
}

function Item({ courseId, item, isLocked, isNext }: ItemProps): ReactElement {
  const isReady = (item.kind === 'practice' ? item.practice.state : item.video.state) === 'ready';
  const content = (
    <>
      <span className={cx(css['mark'], item.isDone && css['done'])} aria-hidden="true" />
      {item.kind === 'practice' ? (
        <PracticeCover card={item.practice} />
      ) : (
        <span className={css['still']}>
          <Icon name="video" />
        </span>
      )}
      <span className={css['words']}>
        <h3>
          <span lang="en">{itemTitle(item)}</span>
        </h3>
        <span className={css['description']}>
          {item.kind === 'practice' ? (
            <Explanation english={item.practice.descriptionSummary} coachName={item.practice.coachName} />
          ) : (
            <Explanation english={item.video.description} />
          )}
        </span>
        <span className={css['facts']}>
          {item.kind === 'practice'
            ? t('{name}, {minutes} min', { name: item.practice.coachName, minutes: item.practice.minutes })
            : t('Video')}
        </span>
      </span>
      <ItemState item={item} isReady={isReady} isNext={isNext && !isLocked} />
    </>
  );
  if (isLocked || !isReady) return <div className={cx(css['item'], css['closed'])}>{content}</div>;
  return (
    <ItemLink courseId={courseId} item={item} className={css['item']}>
      {content}
    </ItemLink>
  );
}

function ItemState(props: { item: CourseItemView; isReady: boolean; isNext: boolean }): ReactElement {
  const { item, isReady, isNext } = props;
  if (!isReady) return <Badge>{t('Coming soon')}</Badge>;
  if (item.kind === 'practice' && item.practice.bestScore !== null)
    return <ScoreNumber score={item.practice.bestScore} label={t('Best score')} />;
  if (item.isDone) return <Badge icon="check">{item.kind === 'video' ? t('Watched') : t('Done')}</Badge>;
  return isNext ? <Badge>{t('Up next')}</Badge> : <span />;
}
