/** One course: its sections in order, what is done, what is locked, and joining or leaving it. */
import { t } from '@parley/i18n';
import type { CourseView } from '@parley/contract';
import { CourseId } from '@parley/domain';
import { Button, EmptyState, Icon, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation } from '../foundation/language/explanations.tsx';
import { ChangeNotice } from '../foundation/screen/change-notice.tsx';
import { ErrorBanner, QueryView, Screen } from '../foundation/screen/screen.tsx';
import { CourseCover, CourseProgress, itemTitle } from './course-parts.tsx';
import { CourseSection } from './course-section.tsx';
import css from './courses.module.css';

/** An address with an invalid id shows the same as one whose course is gone. */
const NO_COURSE = CourseId.parse(crypto.randomUUID());

export function CourseScreen(): ReactElement {
  const { queries } = useHost();
  const courseId = CourseId.safeParse(useParams({ strict: false }).courseId);
  const input = { courseId: courseId.success ? courseId.data : NO_COURSE };
  const course = useQuery(queries.courses.read.queryOptions({ input }));
  return (
    <Screen
      title={course.data?.title ?? t('Course')}
      {...(course.data === undefined ? {} : { intro: <Explanation english={course.data.description} /> })}
      action={<Link to="/courses">{t('All courses')}</Link>}
    >
      <QueryView query={course} loadingLabel={t('Loading the course')}>
        {(view) => (view.status === 'coming_soon' ? <ComingSoon /> : <Course course={view} />)}
      </QueryView>
    </Screen>
  );
}

const ComingSoon = (): ReactElement => (
  <EmptyState title={t('Coming soon')} action={<Link to="/courses">{t('All courses')}</Link>}>
    {t('This course isn’t ready yet. You’ll find it here when it is.')}
  </EmptyState>
);

function Course({ course }: { course: CourseView }): ReactElement {
  return (
    <>
      <div className={css['head']}>
        <CourseCover covers={course.covers} />
        <div className={css['start']}>
          <CourseProgress course={course} />
          {course.isFinished ? <Finished course={course} /> : <Start course={course} />}
        </div>
      </div>
      <div className={css['columns']}>
        <div className={css['sections']}>
          {course.sections.map((section, index) => (
            <CourseSection
              key={section.courseSectionId}
              courseId={course.courseId}
              section={section}
              number={index + 1}
              nextItem={course.next}
            />
          ))}
        </div>
        {course.goals.length > 0 && (
          <aside className={css['aside']} aria-label={t('What you’ll be able to do')}>
            <h2>{t('What you’ll be able to do')}</h2>
            <ul className={css['goals']}>
              {course.goals.map(({ text, isReached }) => (
                <li key={text} className={isReached ? css['reached'] : undefined}>
                  <Icon name={isReached ? 'check' : 'circle'} size={18} />
                  <Explanation english={text} />
                  {isReached && <span className={css['hidden']}>{t('(done)')}</span>}
                </li>
              ))}
            </ul>
          </aside>
        )}
      </div>
    </>
  );
}

/** Joining comes first, so that the next practice appears on Today. */
function Start({ course }: { course: CourseView }): ReactElement {
  const { client } = useHost();
  const navigate = useNavigate();
  const { courseId, isEnrolled, next } = course;
  const change = useMutation({
    mutationFn: (leaves: boolean) => (leaves ? client.courses.leave({ courseId }) : client.courses.enrol({ courseId })),
  });
  const toggle = (): void => change.mutate(isEnrolled);
  const hasChanged = change.isSuccess && change.variables !== isEnrolled;
  const open = (): void => {
    if (next?.kind === 'practice')
      void navigate({
        to: '/practise/$practiceId',
        params: { practiceId: next.practice.practiceId },
        search: { course: courseId, section: next.courseSectionId },
      });
    else if (next?.kind === 'video')
      void navigate({
        to: '/courses/$courseId/videos/$videoId',
        params: { courseId, videoId: next.video.videoId },
        search: { section: next.courseSectionId },
      });
  };
  if (!isEnrolled)
    return (
      <>
        {hasChanged && (
          <MutedText>
            <ChangeNotice>{t('You’ve left this course.')}</ChangeNotice>
          </MutedText>
        )}
        <Row>
          <Button variant="primary" large onPress={toggle} isDisabled={change.isPending}>
            {t('Join this course')}
          </Button>
        </Row>
        <MutedText small>{t('Your next practice will then be on Today. You can leave at any time.')}</MutedText>
        {change.isError && <ErrorBanner error={change.error} />}
      </>
    );
  return (
    <>
      {hasChanged && (
        <MutedText>
          <ChangeNotice>{t('You’ve joined this course.')}</ChangeNotice>
        </MutedText>
      )}
      {next !== null && <MutedText>{t('Next: {title}', { title: itemTitle(next) })}</MutedText>}
      <Row>
        {next !== null && (
          <Button
            variant={next.kind === 'practice' ? 'speak' : 'primary'}
            icon={next.kind === 'practice' ? 'microphone' : 'play'}
            large
            onPress={open}
          >
            {startLabel(course)}
          </Button>
        )}
        <Button variant="quiet" onPress={toggle} isDisabled={change.isPending}>
          {t('Leave this course')}
        </Button>
      </Row>
      {next === null && (
        <MutedText>{t('You’ve done everything that’s open to you. Each locked section says what opens it.')}</MutedText>
      )}
      {change.isError && <ErrorBanner error={change.error} />}
    </>
  );
}

function startLabel({ next, done }: CourseView): string {
  if (next?.kind === 'video') return t('Watch the video');
  const name = next?.practice.coachName ?? '';
  return done === 0 ? t('Start with {name}', { name }) : t('Carry on with {name}', { name });
}

/** At the end of a course: what was achieved, and what could follow. */
function Finished({ course }: { course: CourseView }): ReactElement {
  const navigate = useNavigate();
  const { nextCourse } = course;
  return (
    <section className={css['finished']} aria-labelledby="finished">
      <h2 id="finished">{t('You’ve finished this course. Well done.')}</h2>
      <MutedText>
        {nextCourse === null
          ? t('You’ve finished every course. Try a practice at a harder level next, or review your words.')
          : t('Everything you said is in History. A good next course is “{title}”.', { title: nextCourse.title })}
      </MutedText>
      <Row>
        {nextCourse !== null && (
          <Button
            variant="primary"
            onPress={() => void navigate({ to: '/courses/$courseId', params: { courseId: nextCourse.courseId } })}
          >
            {t('Open “{title}”', { title: nextCourse.title })}
          </Button>
        )}
        <Button onPress={() => void navigate({ to: '/review' })}>{t('Review your words')}</Button>
      </Row>
    </section>
  );
}
