/** The checkout's script and what every page has of the style, as build-assets.js bundles them. The styles' order matters. */
import './styles/base.css';
import './styles/frame.css';
import './styles/summary.css';
import './styles/methods.css';
import './styles/controls.css';
import './styles/around.css';
import './main.tsx';
