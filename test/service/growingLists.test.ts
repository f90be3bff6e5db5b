import { WebSocketServer } from 'ws';
import { concurrentTestWithBrowser } from '../support/service/browser';
