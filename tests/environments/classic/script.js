const sum = () => tf.tidy(() => tf.tensor1d([1, 2, 3, 4]).sum().dataSync()[0]);
let early;
try {
  sum();
} catch (error) {
  early = `${error.name}: ${error.message}`;
}
tf.ready().then(() => {
  const own = `${sum()} ${tf.memory().numTensors}`;
  const worker = new Worker('./imported.js');
  worker.onmessage = async ({ data }) => {
    await navigator.serviceWorker.register('./service.js');
    const { active } = await navigator.serviceWorker.ready;
    navigator.serviceWorker.onmessage = ({ data: served }) => {
      document.body.id = 'result';
      document.body.textContent = JSON.stringify([
        own,
        data,
        served,
        early.includes('await tf.ready()') ? '10 0' : early,
      ]);
    };
    active.postMessage('run');
  };
});
