/** A dialogue that only recognises model replies, as a school may have written it. */
import { Dialogue } from '@parley/domain';

export const WRITTEN_DIALOGUE: Dialogue = Dialogue.parse({
  start: 'hello',
  nodes: [
    {
      key: 'hello',
      say: {
        easy: 'Hi. You look worried. Is everything all right?',
        intermediate: 'Hi there. You look a bit worried. Is everything okay?',
        hard: 'Hello. You have been staring at that screen for a while. Is everything all right?',
      },
      replies: {
        easy: [
          {
            text: 'Can you help me, please?',
            next: 'what',
            keyword: 'help',
            proves: [{ objective: 'ask-politely', words: 'Can you help me, please' }],
          },
          {
            text: 'Are you busy now?',
            next: 'what',
            keyword: 'busy',
            proves: [{ objective: 'ask-politely', words: 'Are you busy now' }],
          },
        ],
        intermediate: [
          {
            text: 'Could you help me for a minute, please?',
            next: 'what',
            keyword: 'help',
            proves: [{ objective: 'ask-politely', words: 'Could you help me for a minute, please' }],
          },
          {
            text: 'Are you busy, or do you have five minutes for me?',
            next: 'what',
            keyword: 'busy',
            proves: [{ objective: 'ask-politely', words: 'Are you busy, or do you have five minutes' }],
          },
        ],
        hard: [
          {
            text: 'Would you mind helping me for a minute? I seem to be stuck.',
            next: 'what',
            keyword: 'help',
            proves: [{ objective: 'ask-politely', words: 'Would you mind helping me for a minute' }],
          },
          {
            text: "I don't want to disturb you if you are busy, but could you spare me five minutes?",
            next: 'what',
            keyword: 'busy',
            proves: [{ objective: 'ask-politely', words: 'could you spare me five minutes' }],
          },
        ],
      },
      rephrase: ['Do you need help?', 'Can I help you with something?'],
    },
    {
      key: 'what',
      say: {
        easy: 'Of course. What is the problem?',
        intermediate: 'Sure, no problem. What is going on?',
        hard: 'Happy to. What seems to be the trouble?',
      },
      replies: {
        easy: [
          {
            text: 'I cannot open this file.',
            next: 'when',
            keyword: 'file',
            proves: [{ objective: 'explain', words: 'I cannot open this file' }],
          },
          {
            text: 'My password does not work.',
            next: 'tried',
            keyword: 'password',
            proves: [{ objective: 'explain', words: 'My password does not work' }],
          },
        ],
        intermediate: [
          {
            text: "I can't open the file that Anna sent me this morning.",
            next: 'when',
            keyword: 'file',
            proves: [{ objective: 'explain', words: "I can't open the file" }],
          },
          {
            text: "My password doesn't work any more, and I don't know why.",
            next: 'tried',
            keyword: 'password',
            proves: [{ objective: 'explain', words: "My password doesn't work" }],
          },
        ],
        hard: [
          {
            text: "I've tried everything, but I can't open the file that Anna sent me.",
            next: 'when',
            keyword: 'file',
            proves: [{ objective: 'explain', words: "I've tried everything, but I can't open the file" }],
          },
          {
            text: 'For some reason the system no longer accepts my password, although I changed nothing.',
            next: 'tried',
            keyword: 'password',
            proves: [{ objective: 'explain', words: 'the system no longer accepts my password' }],
          },
        ],
      },
      rephrase: ['What does not work?', 'Is it the file or the password?'],
    },
    {
      key: 'tried',
      say: {
        easy: 'Did you write it with a big letter?',
        intermediate: 'Have you checked whether the caps key is on?',
        hard: 'Have you already tried resetting it, or checking the caps lock key?',
      },
      replies: {
        easy: [
          { text: 'Yes, I tried it three times.', next: 'when', keyword: 'three times', proves: [] },
          { text: 'No. That is a good idea.', next: 'when', keyword: 'good idea', proves: [] },
        ],
        intermediate: [
          { text: 'Yes, I have already tried it three times.', next: 'when', keyword: 'three times', proves: [] },
          { text: "No, I haven't. That is a good idea.", next: 'when', keyword: 'good idea', proves: [] },
        ],
        hard: [
          {
            text: 'I have, and after the third time it locked me out completely.',
            next: 'when',
            keyword: 'three times',
            proves: [],
          },
          {
            text: "I hadn't thought of that, but it is a really good idea.",
            next: 'when',
            keyword: 'good idea',
            proves: [],
          },
        ],
      },
      rephrase: ['What did you try?', 'Did you try it two times?'],
    },
    {
      key: 'when',
      say: {
        easy: 'I can look at it. When do you need it?',
        intermediate: 'I can have a look. How soon do you need it?',
        hard: 'Let me finish this message first. How urgent is it?',
      },
      replies: {
        easy: [
          {
            text: 'I need it in one hour.',
            next: 'thanks',
            keyword: 'one hour',
            proves: [{ objective: 'fix-a-time', words: 'I need it in one hour' }],
          },
          {
            text: 'Today at three is fine.',
            next: 'thanks',
            keyword: 'today',
            proves: [{ objective: 'fix-a-time', words: 'Today at three is fine' }],
          },
        ],
        intermediate: [
          {
            text: 'I need it within an hour, before my meeting begins.',
            next: 'thanks',
            keyword: 'one hour',
            proves: [{ objective: 'fix-a-time', words: 'I need it within an hour' }],
          },
          {
            text: 'There is no hurry. This afternoon at three is fine.',
            next: 'thanks',
            keyword: 'today',
            proves: [{ objective: 'fix-a-time', words: 'This afternoon at three is fine' }],
          },
        ],
        hard: [
          {
            text: 'My meeting starts in an hour, so I am in a bit of a hurry.',
            next: 'thanks',
            keyword: 'one hour',
            proves: [{ objective: 'fix-a-time', words: 'My meeting starts in an hour' }],
          },
          {
            text: 'There is no great hurry, any time this afternoon would be fine with me.',
            next: 'thanks',
            keyword: 'today',
            proves: [{ objective: 'fix-a-time', words: 'any time this afternoon would be fine' }],
          },
        ],
      },
      rephrase: ['Is it today or tomorrow?', 'When is your meeting?'],
    },
    {
      key: 'thanks',
      say: {
        easy: 'I will come to your desk in ten minutes.',
        intermediate: 'All right, give me ten minutes and I will come over.',
        hard: 'Leave it with me. I will be at your desk in ten minutes, coffee in hand.',
      },
      replies: {
        easy: [
          {
            text: 'Thank you very much, Tom.',
            next: 'bye',
            keyword: 'thank you',
            proves: [{ objective: 'thank', words: 'Thank you very much' }],
          },
          {
            text: 'Thanks. The coffee is on me.',
            next: 'bye-coffee',
            keyword: 'coffee',
            proves: [{ objective: 'thank', words: 'Thanks' }],
          },
        ],
        intermediate: [
          {
            text: 'Thank you so much, that is very kind of you.',
            next: 'bye',
            keyword: 'thank you',
            proves: [{ objective: 'thank', words: 'Thank you so much' }],
          },
          {
            text: 'Thanks a lot. I will get you a coffee.',
            next: 'bye-coffee',
            keyword: 'coffee',
            proves: [{ objective: 'thank', words: 'Thanks a lot' }],
          },
        ],
        hard: [
          {
            text: 'I really appreciate it. You are saving my morning.',
            next: 'bye',
            keyword: 'thank you',
            proves: [{ objective: 'thank', words: 'I really appreciate it' }],
          },
          {
            text: 'Thanks, I owe you one. Next time the coffee is on me.',
            next: 'bye-coffee',
            keyword: 'coffee',
            proves: [{ objective: 'thank', words: 'Thanks, I owe you one' }],
          },
        ],
      },
      rephrase: ['Is that okay for you?', 'What do you say when someone helps you?'],
    },
    {
      key: 'bye',
      say: {
        easy: 'You are welcome. That is what teams are for.',
        intermediate: 'You are welcome. We all have been new here.',
        hard: 'Any time. I once locked myself out for a whole day, so you are in good company.',
      },
      replies: { easy: [], intermediate: [], hard: [] },
      rephrase: [],
    },
    {
      key: 'bye-coffee',
      say: {
        easy: 'Coffee is always a good reason to help.',
        intermediate: 'I never say no to a coffee.',
        hard: 'For a decent coffee I would fix the whole network.',
      },
      replies: { easy: [], intermediate: [], hard: [] },
      rephrase: [],
    },
  ],
});
