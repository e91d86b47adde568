/**
 * The accessibility trees of a conversation and of its result, as whole trees, so that a lost name, role or heading is
 * noticed.
 */
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { ariaTree } from '../../app/aria-tree.ts';
import { writeTurn } from '../../steps/turns.ts';

const device = setUpDevice(null);

it('names everything in a conversation and in its result', { tags: ['slow'] }, async () => {
  const page = await device.open();
  await page.getByRole('link', { name: 'Practise' }).click();
  await page.getByRole('link', { name: /Give a stand-up update/ }).click();
  await page.getByText('Easy', { exact: true }).click();
  await page.getByText('In writing', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Good morning. What did you do yesterday?').waitFor();
  await writeTurn(page, 'I finished the report.');
  await page.getByText('(reached)').waitFor();
  await page.getByLabel('Write your answer').waitFor();
  // The coach varies its acknowledgement of an answer.
  const conversation = (await ariaTree(page.getByRole('main'))).replace(
    /paragraph: .*(?=What will you do)/,
    'paragraph: ',
  );
  expect(conversation).toMatchInlineSnapshot(`
    "- main:
      - heading "Give a stand-up update" [level=#]
      - paragraph: It is nine o’clock and the team is standing around the screen. Daniel leads the meeting, and it is your turn.
      - list "Conversation":
        - listitem:
          - text: Daniel
          - paragraph: Good morning. What did you do yesterday?
          - button "Hear Daniel again"
          - button "Hear it slowly"
          - button "Hide the text"
        - listitem:
          - text: You
          - paragraph: I finished the report.
          - text: written
        - listitem:
          - text: Daniel
          - paragraph: What will you do today?
          - button "Hear Daniel again"
          - button "Hear it slowly"
          - button "Hide the text"
      - complementary "This practice":
        - heading "Objectives" [level=#]
        - list:
          - listitem: Say what you did yesterday (reached) “I finished the report”
          - listitem: Say what you will do today (not reached yet)
          - listitem: Name a problem, or say that there is none (not reached yet)
          - listitem: Ask for one thing, or say that you need nothing (not reached yet)
        - button "Pause"
        - button "End the conversation…"
      - text: Write your answer
      - textbox "Write your answer"
      - button "Send" [disabled]
      - paragraph: Enter sends it.
      - button "Give me a hint"
      - button "Speak instead""
  `);

  await writeTurn(page, "Today I'll call the client.");
  await writeTurn(page, 'Yes. My computer is very slow.');
  await writeTurn(page, 'Can you help me, please?');
  await writeTurn(page, 'Tomorrow, please.');
  await page.getByRole('button', { name: 'See your result' }).click();
  await page.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();
  expect(await ariaTree(page.getByRole('main'))).toMatchInlineSnapshot(`
    "- main:
      - heading "Give a stand-up update" [level=#]
      - button "Practise again"
      - paragraph: You answered # times. You reached # of # objectives.
      - status:
        - 'img "Overall score: # of #"': "#"
        - paragraph: You did everything you set out to do.
        - list:
          - listitem: "Objectives: # of #, counts for # percent."
        - group: How this is measured
      - region "Feedback":
        - heading "What went well" [level=#]
        - paragraph: You did everything you set out to do.
        - heading "One thing to work on" [level=#]
        - paragraph: Nothing stood out that needs work.
        - heading "Your next step" [level=#]
        - paragraph: Try the same practice by voice, so that your pronunciation is scored too.
        - button "Practise again"
      - heading "Objectives" [level=#]
      - list:
        - listitem: Say what you did yesterday (reached) “I finished the report”
        - listitem: Say what you will do today (reached) “I’ll call the client”
        - listitem: Name a problem, or say that there is none (reached) “My computer is very slow”
        - listitem: Ask for one thing, or say that you need nothing (reached) “Can you help me”
      - tablist "Details":
        - tab "Language" [selected]
        - tab "What was said"
      - tabpanel "Language":
        - paragraph: You answered # times. You used no hints.
        - paragraph: The guided coach points out only a few frequent mistakes that it is sure of. All other corrections of grammar and wording need a live coach."
  `);
});
