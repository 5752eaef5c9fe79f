import { expect, test } from 'vitest';
import { createEventIdWatch } from './event-id-watch.js';

const STREAMS = [
  { title: 'an event with an id', stream: 'id: 7\nretry: 500\ndata: \n\n', isSeen: true },
  { title: 'an id after its data', stream: 'data: {}\nid:7\n\n', isSeen: true },
  { title: 'a second event', stream: ': hello\n\ndata: {}\n\nid: 7\ndata: x\n\n', isSeen: true },
  { title: 'line breaks of Windows', stream: 'id: 7\r\ndata: x\r\n\r\n', isSeen: true },
  { title: 'line breaks of old', stream: 'id: 7\rdata: x\r\r: more', isSeen: true },
  { title: 'a long line before', stream: `data: ${'x'.repeat(99)}\r\nid: 7\r\n\r\n`, isSeen: true },
  { title: 'an event that is cut off', stream: 'id: 7\ndata: {"jsonrpc"', isSeen: false },
  { title: 'an id without data', stream: 'id: 7\n\ndata: x\n\n', isSeen: false },
  { title: 'an empty id', stream: 'id: \ndata: x\n\n', isSeen: false },
  { title: 'an id inside of data', stream: 'data: id: 7\n\n', isSeen: false },
  { title: 'half a line break as a blank line', stream: 'id: 7\r\ndata: x\r\n', isSeen: false },
];

test.each(STREAMS)('sees, however it is cut: $title', ({ stream, isSeen }) => {
  for (let size = 1; size <= stream.length; size += 1) {
    const watch = createEventIdWatch();
    for (let at = 0; at < stream.length; at += size) watch.read(Buffer.from(stream.slice(at, at + size)));
    expect({ size, isSeen: watch.isSeen() }).toEqual({ size, isSeen });
  }
});
