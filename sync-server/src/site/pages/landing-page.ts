/** The landing page: what Parley is, for whom, a sample result to explore, and what runs where. */
import type { SchoolIdentity } from '@parley/domain';
import type { Localizer } from '@parley/i18n';
import type { AccessMode } from '../../account/index.ts';
import { builtInLandingTexts, type PublishedText } from '../../school/index.ts';
import { type Html, html } from '../../web/html.ts';
import { PICTURE_SIZE, type SiteAssets } from '../assets/assets.ts';
import { sampleParts, scoreField } from './score-field.ts';
import type { SitePage } from './site-layout.ts';
import type { SiteWords } from './site-words.ts';

export interface LandingParts {
  school: SchoolIdentity;
  access: AccessMode;
  /** The school's published headline and introduction, in any language. */
  texts: readonly PublishedText[];
  pictures: SiteAssets['pictures'];
}

export function landingPage(words: SiteWords, { school, access, texts, pictures }: LandingParts): SitePage {
  const { t, linkTo, language } = words;
  const builtIn = builtInLandingTexts(words);
  const ownText = (name: keyof typeof builtIn): string | undefined =>
    texts.find((text) => text.name === name && text.language === language)?.text;
  const [headline, introduction] = [ownText('headline'), ownText('introduction')];
  return {
    title:
      headline === undefined
        ? t('{school}: practise the conversation before you have it', { school: school.name })
        : `${school.name}: ${headline}`,
    description:
      introduction ??
      t(
        'Practise spoken English for work with coaches who answer in character. You get scores you can check by ear, on your own computer, even offline.',
      ),
    path: '/',
    data: {
      '@context': 'https://schema.org',
      '@type': 'SoftwareApplication',
      name: 'Parley',
      applicationCategory: 'EducationalApplication',
      operatingSystem: 'Windows, macOS, Linux',
    },
    body: html`<div class="hero">
        <h1>${headline ?? builtIn.headline}</h1>
        <p class="lead">${introduction ?? builtIn.introduction}</p>
        <p class="actions">
          ${
            access === 'granted'
              ? html`<a class="button" href="${linkTo('/request-access')}">${t('Ask for access')}</a>`
              : html`<a class="button" href="${linkTo('/downloads')}">${t('Download Parley')}</a>`
          }
          <a class="button second" href="#how">${t('See how it works')}</a>
        </p>
      </div>
      ${conversation(words)} ${sampleResult(words)} ${screenshots(words, pictures)} ${review(words)}
      ${whatRunsWhere(words)}
      <section>
        <div class="pair">
          <div>
            <h2 class="said">${t('For teachers and companies')}</h2>
            <p class="two">
              ${t('Run Parley on your own server. Write situations from your own work, put them into courses, and give them to a class with a date. You see who has finished. You never see what was said.')}
            </p>
          </div>
          <div>
            <h2 class="said">${t('Free, always')}</h2>
            <p class="two">
              ${t('Guided practice, drills, review, progress and export cost nothing and never will. A plan adds time with coaches who talk freely, and the rest of each course.')}
            </p>
            <p><a href="${linkTo('/pricing')}">${t('See the prices')}</a></p>
          </div>
        </div>
      </section>`,
  };
}

/** The English that is practised stays in English, whatever the language of the page. */
const conversation = ({ t }: Localizer): Html =>
  html`<section id="how">
    <div class="pair">
      <div>
        <h2 class="said">${t('You talk. A coach answers.')}</h2>
        <p class="two">
          ${t('Pick a situation, such as explaining a delay to a client. Say it in your own words: the coach understands what you mean, not only the sentence in the book. There are three levels, and a patient client can become an impatient one.')}
        </p>
      </div>
      <dl class="script" aria-label="${t('A short conversation')}">
        <dt>${t('Grace, your client')}</dt>
        <dd lang="en" dir="ltr">
          Hello, Grace speaking. I hope you are calling with good news about Friday’s delivery?
        </dd>
        <dt class="you">${t('You')}</dt>
        <dd class="you" lang="en" dir="ltr">
          I’m afraid not. There was a big storm in Santos, and the ship couldn’t leave the port. I’m very sorry.
        </dd>
        <dt>Grace</dt>
        <dd lang="en" dir="ltr">I see. That’s a problem for us. When can I expect it?</dd>
        <dt class="you">${t('You')}</dt>
        <dd class="you" lang="en" dir="ltr">
          On Tuesday. Is there <span class="nearly">anything</span> I can do to help until then?
        </dd>
      </dl>
    </div>
  </section>`;

const sampleResult = (localizer: Localizer): Html =>
  html`<section>
    <div class="pair">
      <div>
        <h2 class="said">${localizer.t('A score you can take apart')}</h2>
        ${scoreField(localizer)}
        <p class="small two">
          ${localizer.t('The wider a column, the more it counts. A full column is 100, and the filled area is the score. What couldn’t be measured gets a dash, never a guess.')}
        </p>
      </div>
      <div>
        ${sampleParts(localizer).map(
          ({ name, score, explanation }) =>
            html`<details>
              <summary><span>${name}</span><span>${score}</span></summary>
              <p>${explanation}</p>
            </details>`,
        )}
      </div>
    </div>
  </section>`;

const screenshots = ({ t }: Localizer, { conversation: talk, result }: SiteAssets['pictures']): Html =>
  html`<section>
    <h2 class="said">${t('A look at the app')}</h2>
    <div class="pair">
      ${picture(talk, {
        description: t(
          'A conversation in the app: the coach asks, you answer out loud, and reached objectives are ticked.',
        ),
        caption: t('Your turn: speak or write, and see which objectives you have reached.'),
      })}
      ${picture(result, {
        description: t('A result in the app: the overall score, what it’s made of, and what to do next.'),
        caption: t('Your result: what went well, and one thing to do next.'),
      })}
    </div>
  </section>`;

/** The picture's content is in English, as the practice is. */
const picture = (
  { light, dark }: { light: string; dark: string },
  { description, caption }: { description: string; caption: string },
): Html =>
  html`<figure>
    <picture>
      <source media="(prefers-color-scheme: dark)" srcset="${dark}" type="image/webp" />
      <img
        src="${light}"
        width="${PICTURE_SIZE.width}"
        height="${PICTURE_SIZE.height}"
        loading="lazy"
        decoding="async"
        alt="${description}"
      />
    </picture>
    <figcaption>${caption}</figcaption>
  </figure>`;

const review = ({ t }: Localizer): Html =>
  html`<section>
    <h2 class="said">${t('Words that were hard come back')}</h2>
    <div class="three">
      <div>
        <h3>${t('In your own sentence')}</h3>
        <p class="two">
          ${t('A review card shows the sentence in which the word went wrong, with your voice and a model voice.')}
        </p>
      </div>
      <div>
        <h3>${t('At the right moment')}</h3>
        <p class="two">${t('Tomorrow, then in a few days, then in weeks. Ten cards take about five minutes.')}</p>
      </div>
      <div>
        <h3>${t('Until it’s easy')}</h3>
        <p class="two">
          ${t('A word leaves the list after two clear reviews on different days, and you can see it happen.')}
        </p>
      </div>
    </div>
  </section>`;

const whatRunsWhere = ({ t }: Localizer): Html =>
  html`<section id="where">
    <h2 class="said">${t('What’s stored where')}</h2>
    <div class="scroll">
      <table>
        <caption>
          ${t('Nothing in the last row happens unless your school sets it up, and the app tells you first.')}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t('Place')}</th>
            <th scope="col">${t('What’s stored there')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">${t('Your computer')}</th>
            <td>
              ${t('The guided coach, the scores, your recordings and your whole history. It works without a network.')}
            </td>
          </tr>
          <tr>
            <th scope="row">${t('Your school’s server')}</th>
            <td>
              ${t('Your account and a copy of what you said as text, for your other devices and for a new computer. Smaller copies of your recordings only if you switch that on.')}
            </td>
          </tr>
          <tr>
            <th scope="row">${t('A cloud service')}</th>
            <td>${t('Coaches who talk freely, including in calls. Only what the conversation needs is sent.')}</td>
          </tr>
        </tbody>
      </table>
    </div>
  </section>`;
