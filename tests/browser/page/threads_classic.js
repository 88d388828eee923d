// The classic script finds its engine and its workers beside itself.
/* global tf */
tf.setThreadsCount(2);
tf.ready().then(async () => {
  const threads = await tf.startThreads();
  const sum = tf.tidy(
    () =>
      tf
        .ones([400, 400])
        .matMul(tf.ones([400, 400]))
        .sum()
        .dataSync()[0],
  );
  const result = document.createElement('output');
  result.id = 'result';
  result.textContent = JSON.stringify({ threads, sum });
  document.body.append(result);
});
