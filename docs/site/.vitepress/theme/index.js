import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import LeakLive from './LeakLive.vue';
import Playground from './Playground.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': () => h(LeakLive) }),
  enhanceApp({ app }) {
    app.component('Playground', Playground);
  },
};
