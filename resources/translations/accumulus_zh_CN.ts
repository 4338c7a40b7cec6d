<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>FieldEditor</name>
    <message>
        <source>%1, unit</source>
        <translation>%1，单位</translation>
    </message>
    <message>
        <source>Use the seeds 0, 1, 2, 3, 4</source>
        <translation>使用种子 0, 1, 2, 3, 4</translation>
    </message>
    <message>
        <source>none; update: batch, as in 100: 64, 500: 512</source>
        <translation>无；更新：批大小，例如 100: 64, 500: 512</translation>
    </message>
    <message>
        <source>Use 5 seeds</source>
        <translation>使用 5 个种子</translation>
    </message>
</context>
<context>
    <name>FormStart</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run “%1”</source>
        <translation>运行“%1”</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File “%1”</source>
        <translation>文件“%1”</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Preset “%1”</source>
        <translation>预设“%1”</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Reset to the run</source>
        <translation>重置为该运行</translation>
    </message>
    <message>
        <source>Reset to the file</source>
        <translation>重置为该文件</translation>
    </message>
    <message>
        <source>Reset to the preset</source>
        <translation>重置为该预设</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>SetupSection</name>
    <message>
        <source>Data and model</source>
        <translation>数据与模型</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Optimizer and schedule</source>
        <translation>优化器与调度</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Numerics and device</source>
        <translation>数值与设备</translation>
    </message>
</context>
<context>
    <name>TrainPlaces</name>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1, Slurm</source>
        <translation>%1，Slurm</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>%1: %2</source>
        <comment>an axis and its value</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>Fill the form from the preset (Enter)</source>
        <translation>用该预设填写表单（Enter）</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Change the name of the preset (F2)</source>
        <translation>更改预设的名称（F2）</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete the preset (Del)</source>
        <translation>删除该预设（Del）</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Presets are experiment files in %1.</source>
        <translation>预设是 %1 中的实验文件。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ActionSearch</name>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>您想做什么？</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Not possible now.</source>
        <translation>现在无法执行。</translation>
    </message>
    <message>
        <source>No action has that name.</source>
        <translation>没有这样的操作。</translation>
    </message>
    <message>
        <source>Enter runs it, Esc closes.</source>
        <translation>按 Enter 执行，按 Esc 关闭。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditGallery</name>
    <message>
        <source>Open the threa&amp;d</source>
        <translation>打开讨论(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Show me</source>
        <translation>演示(&amp;S)</translation>
    </message>
    <message>
        <source>Known mistakes</source>
        <translation>已知错误</translation>
    </message>
    <message>
        <source>with the mistake</source>
        <translation>出错时的权重</translation>
    </message>
    <message>
        <source>Audits the chosen set-up with this mistake built in. Training is not touched.</source>
        <translation>在所选设置中植入这个错误并审计。训练不受影响。</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Shipped in %1</source>
        <translation>曾出现于 %1</translation>
    </message>
    <message>
        <source>Opens %1 in the browser</source>
        <translation>在浏览器中打开 %1</translation>
    </message>
    <message>
        <source>An example: a window of %1 micro-batches.</source>
        <translation>示例：由 %1 个微批次组成的累积窗口。</translation>
    </message>
    <message>
        <source>No weights describe this mistake: what remains unexplained gives it away.</source>
        <translation>没有任何权重能描述这个错误：它由无法解释的残差暴露出来。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditHeadline</name>
    <message>
        <source>Built in on purpose: %1. The loop that trains is not touched, and this result is not kept.</source>
        <translation>有意植入：%1。训练循环不受影响，此结果不会保存。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditOptions</name>
    <message>
        <source>fp&amp;64 reference</source>
        <translation>fp64 参考(&amp;6)</translation>
    </message>
    <message>
        <source>Largest relative error of a tensor that counts as rounding, or three times the noise floor where that is more. 0: by the precision.</source>
        <translation>张量相对误差不超过此值时算作舍入；若噪声底的三倍更大，则以后者为准。0：由精度决定。</translation>
    </message>
    <message>
        <source>Computes the gradient once more in double precision, and how far both gradients are from it</source>
        <translation>用双精度再算一次梯度，并给出两个梯度与它的距离</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Then makes this many updates both ways and measures how far the weights drift apart</source>
        <translation>然后按两种方式各做这么多次参数更新，测量权重相距多远</translation>
    </message>
    <message>
        <source>Builds a known mistake into the audited loop, to see what it does. Training is not touched, and the result is not kept.</source>
        <translation>在被审计的循环中植入一个已知错误，看它的后果。训练不受影响，结果不会保存。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>对象(&amp;W)</translation>
    </message>
    <message>
        <source>Wei&amp;ghts</source>
        <translation>权重(&amp;G)</translation>
    </message>
    <message>
        <source>T&amp;olerance</source>
        <translation>容差(&amp;O)</translation>
    </message>
    <message>
        <source>Also u&amp;pdates</source>
        <translation>另做参数更新(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Mistake built in</source>
        <translation>植入的错误(&amp;M)</translation>
    </message>
    <message>
        <source>auto: %1</source>
        <translation>自动：%1</translation>
    </message>
    <message>
        <source>Set-up: %1</source>
        <translation>设置：%1</translation>
    </message>
    <message>
        <source>Run: %1</source>
        <translation>运行：%1</translation>
    </message>
    <message>
        <source>Initial</source>
        <translation>初始</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>The weights at which the gradients are compared; a run has those of its checkpoints</source>
        <translation>在哪组权重上比较梯度；运行可选其检查点的权重</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditPage</name>
    <message>
        <source>Nothing is audited yet</source>
        <translation>尚未审计</translation>
    </message>
    <message>
        <source>An audit takes fixed weights and one batch, and compares the gradient that the micro-batches accumulate with that of the large batch in one pass. The verdict, the weight of each micro-batch and the error of each tensor appear here.</source>
        <translation>审计在固定的权重和同一批样本上，把微批次累积出的梯度与大批量一次算出的梯度相比较。结论、每个微批次的权重和每个张量的误差将显示在这里。</translation>
    </message>
    <message>
        <source>Audit the set-up</source>
        <translation>审计当前设置</translation>
    </message>
    <message>
        <source>Parts of the audit</source>
        <translation>审计的各部分</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Known mistakes</source>
        <translation>已知错误</translation>
    </message>
    <message>
        <source>How far the weights of both ways drift apart over some updates</source>
        <translation>若干次参数更新后，两种方式的权重相距多远</translation>
    </message>
    <message>
        <source>Mistakes from real programs, each with its formula and its picture</source>
        <translation>曾经发布出去的错误，各附公式和图</translation>
    </message>
    <message>
        <source>&amp;Audit</source>
        <translation>审计(&amp;A)</translation>
    </message>
    <message>
        <source>Compares the gradients; weights and runs stay as they are</source>
        <translation>比较梯度；权重和运行保持不变</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Progress of the audit</source>
        <translation>审计进度</translation>
    </message>
    <message>
        <source>The result is not kept in the library. %1</source>
        <translation>结果没有保存到库中。%1</translation>
    </message>
    <message>
        <source>A study is being trained. Audit when it has ended.</source>
        <translation>正在训练一项研究。请在其结束后审计。</translation>
    </message>
    <message>
        <source>Start the audit</source>
        <translation>开始审计</translation>
    </message>
    <message>
        <source>Cancel the audit</source>
        <translation>取消审计</translation>
    </message>
    <message>
        <source>Shows the report of this audit on the page Reports, to be saved there</source>
        <translation>在“报告”页显示此审计的报告，可在那里保存</translation>
    </message>
    <message>
        <source>This audit is not kept in the library: audit again.</source>
        <translation>此审计没有保存在库中：请重新审计。</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditPlots</name>
    <message>
        <source>Relative error by tensor</source>
        <translation>各张量的相对误差</translation>
    </message>
    <message>
        <source>tensor, in the model&apos;s order</source>
        <translation>张量（按模型中的顺序）</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>There is no error to show.</source>
        <translation>没有可显示的误差。</translation>
    </message>
    <message>
        <source>Error against K</source>
        <translation>误差与 K</translation>
    </message>
    <message>
        <source>accumulation steps K, same samples</source>
        <translation>累积步数 K（样本相同）</translation>
    </message>
    <message>
        <source>relative error, worst tensor</source>
        <translation>最差张量的相对误差</translation>
    </message>
    <message>
        <source>Not measured for other numbers of micro-batches.</source>
        <translation>未对其他微批次数测量。</translation>
    </message>
    <message>
        <source>Distance of the weights</source>
        <translation>权重的距离</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>relative distance of the weights</source>
        <translation>权重的相对距离</translation>
    </message>
    <message>
        <source>No updates were made.</source>
        <translation>没有做参数更新。</translation>
    </message>
    <message>
        <source>accumulated to large batch</source>
        <translation>累积与大批量之间</translation>
    </message>
    <message>
        <source>noise floor</source>
        <translation>噪声底</translation>
    </message>
    <message>
        <source>tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>worst tensor</source>
        <translation>最差张量</translation>
    </message>
    <message>
        <source>large batch to itself, samples permuted</source>
        <translation>大批量与自身（打乱样本）</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditTensorTable</name>
    <message>
        <source>Tensor by tensor</source>
        <translation>逐个张量</translation>
    </message>
    <message>
        <source>Failed on&amp;ly</source>
        <translation>仅未通过(&amp;L)</translation>
    </message>
    <message>
        <source>Filter tensors by name</source>
        <translation>按名称筛选张量</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Errors of the tensors</source>
        <translation>各张量的误差</translation>
    </message>
    <message>
        <source>%1 tensors, %2 above the tolerance</source>
        <translation>%1 个张量，其中 %2 个超出容差</translation>
    </message>
    <message>
        <source>%1 of %2 tensors</source>
        <translation>%2 个张量中的 %1 个</translation>
    </message>
    <message>
        <source>Column of the tensors…</source>
        <translation>张量表的列…</translation>
    </message>
    <message>
        <source>Open an audit result first.</source>
        <translation>请先打开审计页面，并使其显示结果。</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>升序排序</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>降序排序</translation>
    </message>
    <message>
        <source>Order of the network</source>
        <translation>按网络中的顺序</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditText</name>
    <message>
        <source>Equivalent</source>
        <translation>等价</translation>
    </message>
    <message>
        <source>Not equivalent</source>
        <translation>不等价</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>意料之中</translation>
    </message>
    <message>
        <source>best weights</source>
        <translation>最佳权重</translation>
    </message>
    <message>
        <source>last weights</source>
        <translation>最后权重</translation>
    </message>
    <message>
        <source>initial weights</source>
        <translation>初始权重</translation>
    </message>
    <message>
        <source>Window %1 (short)</source>
        <translation>窗口 %1（短）</translation>
    </message>
    <message>
        <source>Window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>Set-up passed</source>
        <translation>设置通过</translation>
    </message>
    <message>
        <source>Weights passed</source>
        <translation>权重通过</translation>
    </message>
    <message>
        <source>Set-up failed</source>
        <translation>设置未通过</translation>
    </message>
    <message>
        <source>Weights failed</source>
        <translation>权重未通过</translation>
    </message>
    <message>
        <source>Set-up as expected</source>
        <translation>设置符合预期</translation>
    </message>
    <message>
        <source>Weights as expected</source>
        <translation>权重符合预期</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditUpdatesView</name>
    <message>
        <source>Updates in both ways</source>
        <translation>两种方式的参数更新</translation>
    </message>
    <message>
        <source>No updates were made. Set “Also updates” above 0 and audit again.</source>
        <translation>没有做参数更新。请把“另做参数更新”设为大于 0，再审计一次。</translation>
    </message>
    <message numerus="yes">
        <source>After %n update(s), the weights of both ways are %1 apart. Reordering the samples of each batch moves the large batch&apos;s weights by %2; any distance below that is accumulated rounding.</source>
        <translation>
            <numerusform>%n 次参数更新之后，两种方式的权重相距 %1。大批量与打乱样本顺序的自身相距 %2：不超过它的差别只是累积起来的舍入误差。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditView</name>
    <message>
        <source>Window of the audit</source>
        <translation>审计的累积窗口</translation>
    </message>
    <message>
        <source>Weight of each micro-batch in the gradient</source>
        <translation>每个微批次在梯度中的权重</translation>
    </message>
    <message>
        <source>Error of the sum: %1, most of it in %2. Not explained by any weights (the residual): %3.</source>
        <translation>求和的误差：%1，主要在 %2。任何权重都不能解释的部分（残差）：%3。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::AuditedTensorModel</name>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>意料之中</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Name of the parameter</source>
        <translation>参数名</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Is the error within the tolerance?</source>
        <translation>误差是否在容差之内？</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Distance between the accumulated gradient and the large batch&apos;s, relative to the norm of the latter</source>
        <translation>累积梯度与大批量梯度的距离，相对于后者的范数</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Largest error that counts as rounding</source>
        <translation>算作舍入的最大误差</translation>
    </message>
    <message>
        <source>Noise floor</source>
        <translation>噪声底</translation>
    </message>
    <message>
        <source>Distance between the large batch&apos;s gradients for two orders of its samples</source>
        <translation>大批量梯度与打乱样本顺序后的自身的距离</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Largest error of a single element, absolute</source>
        <translation>单个元素的最大绝对误差</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>1: both gradients point in the same direction</source>
        <translation>1：两个梯度方向相同</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Norm of the accumulated gradient</source>
        <translation>累积梯度的范数</translation>
    </message>
    <message>
        <source>Norm, large</source>
        <translation>大批量范数</translation>
    </message>
    <message>
        <source>Norm of the large batch&apos;s gradient</source>
        <translation>大批量梯度的范数</translation>
    </message>
    <message>
        <source>To fp64</source>
        <translation>距 fp64</translation>
    </message>
    <message>
        <source>Distance from the accumulated gradient to the fp64 reference</source>
        <translation>累积梯度与 fp64 参考的距离</translation>
    </message>
    <message>
        <source>Large to fp64</source>
        <translation>大批量距 fp64</translation>
    </message>
    <message>
        <source>Distance from the large batch&apos;s gradient to the fp64 reference</source>
        <translation>大批量梯度与 fp64 参考的距离</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::Baseline</name>
    <message>
        <source>better</source>
        <translation>更好</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>更差</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::BatchBar</name>
    <message>
        <source>Effective batch: nothing set</source>
        <translation>有效批大小：尚未设置</translation>
    </message>
    <message numerus="yes">
        <source>Effective batch of %1 samples in %n micro-batch(es) of %2; %3 done</source>
        <translation>
            <numerusform>有效批 %1 个样本，分为 %n 个 %2 的微批次；已完成 %3 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Time so far: %1</source>
        <translation>目前的时间：%1</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::BatchTriple</name>
    <message>
        <source>A whole number from 1</source>
        <translation>不小于 1 的整数</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>计算得出</translation>
    </message>
    <message>
        <source>Computed number of the batch</source>
        <translation>批次中计算得出的数</translation>
    </message>
    <message>
        <source>Which of the three follows from the other two while you type</source>
        <translation>输入时，三个数中由另外两个得出的那一个</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>计算得出</translation>
    </message>
    <message>
        <source>%1, computed</source>
        <translation>%1，计算得出</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::BroughtFiles</name>
    <message>
        <source>%1: %2, as the network</source>
        <translation>%1：%2，用作网络</translation>
    </message>
    <message>
        <source>%1: %2, as initial weights</source>
        <translation>%1：%2，用作初始权重</translation>
    </message>
    <message>
        <source>%1: %2, as data</source>
        <translation>%1：%2，用作数据</translation>
    </message>
    <message>
        <source>%1: %2, fills the form</source>
        <translation>%1：%2，将填入表单</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ButtonAction</name>
    <message>
        <source>Its page has nothing yet that this works with.</source>
        <translation>其页面上还没有可供此操作使用的内容。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ChangedChip</name>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::CheckpointList</name>
    <message>
        <source>%1, update %2</source>
        <comment>kind of a checkpoint</comment>
        <translation>%1，参数更新 %2</translation>
    </message>
    <message>
        <source>not here</source>
        <comment>a file of a checkpoint</comment>
        <translation>不在此处</translation>
    </message>
    <message>
        <source>Differs: the weights are not those that were saved.</source>
        <translation>不一致：权重与保存时不同。</translation>
    </message>
    <message>
        <source>Equal: the weights are those that were saved. The library has no evaluation at this update to compare with.</source>
        <translation>一致：权重与保存时相同。库中没有这次参数更新处的评估可供比较。</translation>
    </message>
    <message>
        <source>Equal: the weights are those that were saved, and the test loss is %1 as before.</source>
        <translation>一致：权重与保存时相同，测试损失仍为 %1。</translation>
    </message>
    <message>
        <source>Differs: the test loss is %1 now and was %2, though the weights are those that were saved.</source>
        <translation>不一致：权重与保存时相同，但测试损失现在是 %1，当时是 %2。</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存时间</translation>
    </message>
    <message>
        <source>Verifying the checkpoint</source>
        <translation>正在验证检查点</translation>
    </message>
    <message>
        <source>weights, safetensors</source>
        <translation>权重，safetensors</translation>
    </message>
    <message>
        <source>resume bundle</source>
        <translation>恢复包</translation>
    </message>
    <message>
        <source>Select a checkpoint.</source>
        <translation>请选择一个检查点。</translation>
    </message>
    <message>
        <source>A checkpoint is being verified.</source>
        <translation>正在验证一个检查点。</translation>
    </message>
    <message>
        <source>A study is training, and this would slow it down. Wait until it has ended.</source>
        <translation>有研究正在训练，验证会拖慢它。请等它结束。</translation>
    </message>
    <message>
        <source>Loads the weights, evaluates them once more and compares with what was recorded</source>
        <translation>载入权重，重新评估，并与记录的结果比较</translation>
    </message>
    <message>
        <source>The run is protected.</source>
        <translation>该运行受保护。</translation>
    </message>
    <message>
        <source>The run is not over.</source>
        <translation>该运行尚未结束。</translation>
    </message>
    <message>
        <source>The run is in the Trash.</source>
        <translation>该运行在回收站中。</translation>
    </message>
    <message>
        <source>Removes its files for good</source>
        <translation>永久删除它的文件</translation>
    </message>
    <message>
        <source>The run has no checkpoints.</source>
        <translation>该运行没有检查点。</translation>
    </message>
    <message>
        <source>Opens the folder of the run&apos;s files</source>
        <translation>打开该运行的文件所在的文件夹</translation>
    </message>
    <message>
        <source>Verifying %1: %p %</source>
        <translation>正在验证 %1：%p %</translation>
    </message>
    <message>
        <source>Not verified: it was cancelled.</source>
        <translation>未验证：已取消。</translation>
    </message>
    <message>
        <source>Cannot be verified. %1</source>
        <translation>无法验证。%1</translation>
    </message>
    <message>
        <source>Delete a checkpoint</source>
        <translation>删除检查点</translation>
    </message>
    <message>
        <source>Delete the checkpoint “%1” with %2 for good?</source>
        <translation>永久删除检查点“%1”（%2）？</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>This cannot be undone, and the run can no longer continue from there.</source>
        <translation>此操作无法撤销，该运行也不能再从那里继续。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>%1 together.</source>
        <translation>合计 %1。</translation>
    </message>
    <message numerus="yes">
        <source>The newest %n periodic checkpoint(s) stay(s), besides the best, the last and the initial one where they are saved.</source>
        <translation>
            <numerusform>保留最新的 %n 个定期检查点；最佳、最后和初始检查点（如有保存）另外保留。</numerusform>
        </translation>
    </message>
    <message>
        <source>No periodic checkpoints were asked for.</source>
        <translation>未要求保存定期检查点。</translation>
    </message>
    <message>
        <source>Export weights…</source>
        <translation>导出权重…</translation>
    </message>
    <message>
        <source>Export weights</source>
        <translation>导出权重</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>before a resume</source>
        <comment>kind of a checkpoint</comment>
        <translation>继续之前</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::CloseDialog</name>
    <message>
        <source>Keep running until done: the window stays open and closes by itself after the last study.</source>
        <translation>继续运行直到完成：窗口保持打开，最后一项研究结束后自行关闭。</translation>
    </message>
    <message>
        <source>Pause the queue and quit: the studies wait until the next start.</source>
        <translation>暂停队列并退出：这些研究会等到下一次。</translation>
    </message>
    <message>
        <source>Let it go on and quit: the next start offers to follow it.</source>
        <translation>让它继续并退出：下次启动时可以重新跟踪它。</translation>
    </message>
    <message>
        <source>Stop it and quit: it stops there at its next update.</source>
        <translation>停止它并退出：它会在那里的下一次参数更新时停止。</translation>
    </message>
    <message>
        <source>Checkpoint and quit: the study stops at its next update, and the next start offers to resume it.</source>
        <translation>保存检查点并退出：研究会在下一次参数更新时停止，下次启动时可以继续它。</translation>
    </message>
    <message>
        <source>A study is running</source>
        <translation>有研究正在运行</translation>
    </message>
    <message>
        <source>Something is not finished</source>
        <translation>有事情尚未完成</translation>
    </message>
    <message>
        <source>Something is still running: an audit, a plan, a report, a backup, an export or similar work.</source>
        <translation>仍有工作在进行：审计、规划、报告、备份、导出或类似的工作。</translation>
    </message>
    <message>
        <source>Wait and quit: the window stays open and closes by itself after that.</source>
        <translation>等待后退出：窗口保持打开，完成后自动关闭。</translation>
    </message>
    <message>
        <source>Discard it and quit: what is not finished is lost.</source>
        <translation>放弃并退出：未完成的内容会丢失。</translation>
    </message>
    <message>
        <source>Wait and quit</source>
        <translation>等待后退出</translation>
    </message>
    <message>
        <source>Discard it and quit</source>
        <translation>放弃并退出</translation>
    </message>
    <message>
        <source>A study is training elsewhere. It continues there when this window closes.</source>
        <translation>有一项研究正在别处训练。关闭此窗口后，它会在那里继续。</translation>
    </message>
    <message>
        <source>A study is still training. What do you want to do?</source>
        <translation>一项研究仍在训练。您想怎么做？</translation>
    </message>
    <message>
        <source>Let it go on and quit</source>
        <translation>让它继续并退出</translation>
    </message>
    <message>
        <source>Keep running until done</source>
        <translation>继续运行直到完成</translation>
    </message>
    <message>
        <source>Stop it and quit</source>
        <translation>停止它并退出</translation>
    </message>
    <message>
        <source>Checkpoint and quit</source>
        <translation>保存检查点并退出</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Studies wait for their time</source>
        <translation>有研究在等待开始时间</translation>
    </message>
    <message>
        <source>Studies of the queue wait for their time. They start only while this window is open.</source>
        <translation>队列中有研究在等待开始时间。只有此窗口打开时它们才会开始。</translation>
    </message>
    <message>
        <source>Pause the queue and quit</source>
        <translation>暂停队列并退出</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::CompareFields</name>
    <message>
        <source>Choose a pair</source>
        <translation>选择一对</translation>
    </message>
    <message>
        <source>Several metrics are judged together, with their p values corrected by Holm&apos;s method</source>
        <translation>多个指标一并判定，p 值按 Holm 法校正</translation>
    </message>
    <message>
        <source>&amp;Pairs</source>
        <translation>配对(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Judged by</source>
        <translation>评判指标(&amp;J)</translation>
    </message>
    <message>
        <source>To&amp;gether with</source>
        <translation>一并判定(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Pairs (%1 found)</source>
        <translation>配对（找到 %1 个）(&amp;P)</translation>
    </message>
    <message>
        <source>Chosen runs: %1 against %2</source>
        <translation>选定的运行：%1 对 %2</translation>
    </message>
    <message>
        <source>No other metric</source>
        <translation>无其他指标</translation>
    </message>
    <message numerus="yes">
        <source>%n more metric(s)</source>
        <translation>
            <numerusform>另 %n 个指标</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of chosen runs</source>
        <translation>
            <numerusform>所选运行的 %n 个组</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::CompareGroups</name>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>不参与</translation>
    </message>
    <message>
        <source>Seeds: %1</source>
        <translation>种子：%1</translation>
    </message>
    <message>
        <source>Run %1 was deleted from the library.</source>
        <translation>运行 %1 已从库中删除。</translation>
    </message>
    <message>
        <source>Run %1 is in the Trash.</source>
        <translation>运行 %1 在回收站中。</translation>
    </message>
    <message>
        <source>Add group</source>
        <translation>添加组</translation>
    </message>
    <message>
        <source>Compares one more group with the reference: up to eight</source>
        <translation>再添加一个组与参照组对比，最多八个组</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参照组</translation>
    </message>
    <message>
        <source>The group that each other one is compared with</source>
        <translation>其他各组都与这一组对比</translation>
    </message>
    <message>
        <source>Remove group %1</source>
        <translation>移出 %1 组</translation>
    </message>
    <message>
        <source>Removes group %1 from the comparison, not its runs</source>
        <translation>把 %1 组移出对比，不删除其中的运行</translation>
    </message>
    <message>
        <source>%1: no runs yet</source>
        <comment>letter of a group</comment>
        <translation>%1：还没有运行</translation>
    </message>
    <message>
        <source>Empty group, to be filled from the table</source>
        <translation>空组，之后从表格中放入运行</translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation>建议</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ComparePage</name>
    <message>
        <source>S&amp;wap arms</source>
        <translation>交换两组(&amp;W)</translation>
    </message>
    <message>
        <source>Swaps A and B; every difference changes its sign</source>
        <translation>交换 A 和 B：所有差值变号</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Nothing is compared yet</source>
        <translation>尚无对比</translation>
    </message>
    <message>
        <source>Choose one accumulated and one large-batch group. The library has no such pair yet. To create one, turn on “Also run the large batch” in Set up.</source>
        <translation>请选择一个累积组和一个大批量组。库中还没有这样的配对：带有“同时运行大批量”的研究会产生它。</translation>
    </message>
    <message>
        <source>Set up a run</source>
        <translation>设置一次运行</translation>
    </message>
    <message>
        <source>Choose one accumulated and one large-batch group. Their curves, the difference of each pair and a verdict appear here.</source>
        <translation>请选择一个累积组和一个大批量组。它们的曲线、每个配对的差值和结论会显示在这里。</translation>
    </message>
    <message>
        <source>Suggest pairs (%1 found)</source>
        <translation>建议配对（找到 %1 个）</translation>
    </message>
    <message>
        <source>The groups differ in more than accumulation: %1.</source>
        <translation>两组的不同不只在于累积：%1。</translation>
    </message>
    <message>
        <source>The study “%1” has runs of one arm only, the Trash not counted: there is nothing to compare them with.</source>
        <translation>不计回收站，研究“%1”只有一个组的运行，没有可对比的对象。</translation>
    </message>
    <message>
        <source>Rep&amp;ort…</source>
        <translation>报告(&amp;O)…</translation>
    </message>
    <message>
        <source>Inside a group the runs differ in: %1.</source>
        <translation>同一组内的运行在以下方面不一致：%1。</translation>
    </message>
    <message>
        <source>Save&amp;d</source>
        <translation>已保存(&amp;D)</translation>
    </message>
    <message>
        <source>Saved comparisons: open, rename, delete</source>
        <translation>已保存的对比：打开、重命名、删除</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>&amp;Choose runs</source>
        <translation>选择运行(&amp;C)</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Save&amp;d (%1)</source>
        <translation>已保存(&amp;D)（%1）</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 对 %2</translation>
    </message>
    <message>
        <source>Save a comparison</source>
        <translation>保存对比</translation>
    </message>
    <message>
        <source>Rename a comparison</source>
        <translation>重命名对比</translation>
    </message>
    <message>
        <source>Delete a comparison</source>
        <translation>删除对比</translation>
    </message>
    <message>
        <source>The comparison “%1” was deleted.</source>
        <translation>已删除对比“%1”。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>It was saved with a margin of %1; %2 counts now.</source>
        <translation>保存时的界限为 %1；现在采用的是 %2。</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>采用 %1</translation>
    </message>
    <message>
        <source>Compare a pair</source>
        <translation>对比一对</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>setting, its value in each group</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Puts runs of the library into the groups and takes them out</source>
        <translation>把库中的运行放入各组，或从中移出</translation>
    </message>
    <message>
        <source>Change the groups</source>
        <translation>更改各组</translation>
    </message>
    <message>
        <source>These runs are in a group already.</source>
        <translation>这些运行已在某个组中。</translation>
    </message>
    <message>
        <source>Eight groups are compared already. Remove one first.</source>
        <translation>已在对比八个组。请先移出一个组。</translation>
    </message>
    <message>
        <source>Add a group</source>
        <translation>添加组</translation>
    </message>
    <message>
        <source>Remove a group</source>
        <translation>移出组</translation>
    </message>
    <message>
        <source>Group %1 is not compared any more.</source>
        <translation>%1 组不再参与对比。</translation>
    </message>
    <message>
        <source>Choose the reference</source>
        <translation>选择参照组</translation>
    </message>
    <message>
        <source>Swap the groups</source>
        <translation>交换两组</translation>
    </message>
    <message>
        <source>Add seeds</source>
        <translation>添加种子</translation>
    </message>
    <message>
        <source>Open a comparison</source>
        <translation>打开对比</translation>
    </message>
    <message>
        <source>Save comparison</source>
        <translation>保存对比</translation>
    </message>
    <message>
        <source>Report of the comparison…</source>
        <translation>对比报告…</translation>
    </message>
    <message>
        <source>Swap the arms compared</source>
        <translation>交换对比的两组</translation>
    </message>
    <message>
        <source>Use the margin set before</source>
        <translation>使用之前设定的界限</translation>
    </message>
    <message>
        <source>Add 3 seeds to what is compared</source>
        <translation>为当前对比增加 3 个种子</translation>
    </message>
    <message>
        <source>Saved comparisons</source>
        <translation>已保存的对比</translation>
    </message>
    <message>
        <source>Choose the runs compared</source>
        <translation>选择要对比的运行</translation>
    </message>
    <message>
        <source>Keeps the groups, the metric, the margin and when it was set, the x axis, the band and the smoothing</source>
        <translation>保存各组、指标、界限及其设定时间、x 轴、带状区间和平滑方式</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ComparePlotControls</name>
    <message>
        <source>&amp;Single seeds</source>
        <translation>单个种子(&amp;S)</translation>
    </message>
    <message>
        <source>Draws each seed as a thin line behind the mean</source>
        <translation>在均值后面以细线画出每个种子</translation>
    </message>
    <message>
        <source>&amp;Log differences</source>
        <translation>差值对数轴(&amp;L)</translation>
    </message>
    <message>
        <source>Symmetric logarithm: linear around zero, logarithmic beyond, for both signs</source>
        <translation>对称对数：零附近为线性，其外为对数，正负皆然</translation>
    </message>
    <message>
        <source>&amp;x axis</source>
        <translation>x 轴(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Band</source>
        <translation>带状区间(&amp;B)</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ComparePlots</name>
    <message>
        <source>Means over seeds combine values after the same number of samples, drawn at the mean of their times.</source>
        <translation>各随机种子的均值取自样本数相同时的值，并位于其时间的均值处。</translation>
    </message>
    <message>
        <source>The curves of a pair share no part of this axis</source>
        <translation>一对曲线在此轴上没有共同区间</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>No pair has finished yet</source>
        <translation>尚无配对完成</translation>
    </message>
    <message>
        <source>No evaluation yet</source>
        <translation>尚无评估</translation>
    </message>
    <message>
        <source>No update yet</source>
        <translation>尚无参数更新</translation>
    </message>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，种子 %2</translation>
    </message>
    <message>
        <source>%1, mean of %2</source>
        <translation>%1，%2 次的均值</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message numerus="yes">
        <source>mean of %n pair(s)</source>
        <translation>
            <numerusform>%n 个配对的均值</numerusform>
        </translation>
    </message>
    <message>
        <source>Training loss, smoothed (EMA %1)</source>
        <translation>训练损失，已平滑（EMA %1）</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Band: %1.</source>
        <translation>带状区间：%1。</translation>
    </message>
    <message>
        <source>Differences use raw values at equal samples.</source>
        <translation>差值取自相同样本数处的原始值。</translation>
    </message>
    <message>
        <source>The shaded stripe around zero is the margin.</source>
        <translation>零线两侧的阴影带是等价界限。</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Differences use raw values at equal updates.</source>
        <translation>差值取参数更新次数相同处的原始值。</translation>
    </message>
    <message>
        <source>Differences use raw values at equal epochs.</source>
        <translation>差值取轮数相同处的原始值。</translation>
    </message>
    <message>
        <source>Differences use raw values at equal wall time since the start of each run.</source>
        <translation>差值取自各运行开始起墙钟时间相同处的原始值。</translation>
    </message>
    <message>
        <source>Differences use raw values at equal active time.</source>
        <translation>差值取净训练时间相同处的原始值。</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) had to be interpolated, inside the range that both curves of a pair share.</source>
        <translation>
            <numerusform>有 %n 个值经插值得到，仅在配对的两条曲线共有的范围内。</numerusform>
        </translation>
    </message>
    <message>
        <source>Difference of %1 from %2</source>
        <comment>metric, letter of a group</comment>
        <translation>%1：各组与 %2 组之差</translation>
    </message>
    <message>
        <source>Difference of %1, %2</source>
        <translation>%1之差，%2</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>%1 (points)</source>
        <translation>%1（百分点）</translation>
    </message>
    <message>
        <source>%1, mean of %2, not smoothed</source>
        <translation>%1，%2 次的均值，未平滑</translation>
    </message>
    <message numerus="yes">
        <source>Training loss, smoothed (centred mean of %n window(s))</source>
        <translation>
            <numerusform>训练损失，已平滑（%n 个累积窗口的中心平均）</numerusform>
        </translation>
    </message>
    <message>
        <source>An outline for now: all points of the curves are still being read.</source>
        <translation>曲线轮廓：正在读取其全部数据点。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::CompareView</name>
    <message>
        <source>Seed by seed</source>
        <translation>逐个种子</translation>
    </message>
    <message>
        <source>Results of each seed</source>
        <translation>各种子的结果</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>不同的设置</translation>
    </message>
    <message>
        <source>Show &amp;all settings</source>
        <translation>显示全部设置(&amp;A)</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>全部设置</translation>
    </message>
    <message>
        <source>Metrics judged together, with Holm&apos;s correction</source>
        <translation>一并判定的指标（Holm 校正）</translation>
    </message>
    <message>
        <source>Metrics judged together</source>
        <translation>一并判定的指标</translation>
    </message>
    <message>
        <source>Each p value is the corrected one. Holm&apos;s method keeps the chance of any false claim among all these metrics at 5 %, for equivalence and for differences each.</source>
        <translation>所列 p 值均已校正。Holm 法使所有这些指标中出现任何错误论断的概率不超过 5 %，等价和差异各自计算。</translation>
    </message>
    <message>
        <source>All groups against the reference</source>
        <translation>各组与参照组对比</translation>
    </message>
    <message>
        <source>Verdict of each group</source>
        <translation>各组的结论</translation>
    </message>
    <message>
        <source>Each p value is the corrected one. Holm&apos;s method keeps the chance of any false claim among all these pairs of groups, and all metrics judged together, at 5 %, for equivalence and for differences each. A row shows its verdict below.</source>
        <translation>各 p 值均已校正。Holm 法使所有这些组对以及一并判定的全部指标中出现任何错误论断的概率不超过 5 %，等价和差异各自计算。选中某一行，下方显示其结论。</translation>
    </message>
    <message>
        <source>Settings of the groups</source>
        <translation>各组的设置</translation>
    </message>
    <message>
        <source>All groups against %1</source>
        <comment>letter of the reference</comment>
        <translation>各组与 %1 组对比</translation>
    </message>
    <message>
        <source>Each p value is the corrected one. Holm&apos;s method keeps the chance of any false claim among all these metrics, of all pairs of groups, at 5 %, for equivalence and for differences each.</source>
        <translation>所列 p 值均已校正。Holm 法使所有组对的全部这些指标中出现任何错误论断的概率不超过 5 %，等价和差异各自计算。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::CostBars</name>
    <message>
        <source>%1 to %2 over the seeds</source>
        <translation>各种子之间为 %1 至 %2</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Speed: training samples per second of active time</source>
        <translation>速度：净训练时间内每秒训练样本数</translation>
    </message>
    <message>
        <source>Memory: highest use by tensors</source>
        <translation>内存：张量占用的最高值</translation>
    </message>
    <message>
        <source>%1 trains at %2 times the speed of %3.</source>
        <translation>%1 的训练速度是 %3 的 %2 倍。</translation>
    </message>
    <message>
        <source>%1 needs %2 times the memory of %3.</source>
        <translation>%1 所需内存是 %3 的 %2 倍。</translation>
    </message>
    <message>
        <source>A / B = %1</source>
        <translation>A / B = %1</translation>
    </message>
    <message>
        <source>Several ranks: mean over the runs</source>
        <translation>多个 rank：各次运行的平均</translation>
    </message>
    <message>
        <source>Sent: gradients and weights. Waiting and reducing: share of a window&apos;s time, mean over ranks. The others wait for the slowest rank, which waits least.</source>
        <translation>发送：梯度和权重。等待和归约：占窗口时间的比例，对各 rank 取平均。其他 rank 等待最慢的 rank，因此它等待得最少。</translation>
    </message>
    <message>
        <source>Memory: highest use by tensors, of rank 0</source>
        <translation>内存：rank 0 上张量的最高用量</translation>
    </message>
    <message>
        <source>Gradient noise scale</source>
        <translation>梯度噪声尺度</translation>
    </message>
    <message>
        <source>B_simple = tr Σ / |G|² (McCandlish et al. 2018) from the second half of each run: about the batch size up to which a larger batch pays.</source>
        <translation>B_simple = tr Σ / |G|²（McCandlish 等，2018），取自每次运行的后半段：大致是继续增大批量仍有收益的批大小上限。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>group, its noise scale</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: none, its windows are one micro-batch.</source>
        <translation>%1：无，其累积窗口只有一个微批次。</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <comment>ratio, letter of the reference</comment>
        <translation>%1 × %2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::Dialogs</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::DifferenceModel</name>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>组别</translation>
    </message>
    <message>
        <source>accumulation steps (derived)</source>
        <translation>累积步数（推导值）</translation>
    </message>
    <message>
        <source>unexpected</source>
        <translation>意外</translation>
    </message>
    <message>
        <source>differs by design</source>
        <translation>设计所致</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>(not set)</source>
        <translation>（未设置）</translation>
    </message>
    <message>
        <source>differs inside a group</source>
        <translation>组内不一致</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::DropFrame</name>
    <message>
        <source>Drop to use it here</source>
        <translation>松开即可在此使用</translation>
    </message>
    <message>
        <source>This cannot be used</source>
        <translation>无法使用</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::EmptyTrashDialog</name>
    <message>
        <source>Empty Trash</source>
        <translation>清空回收站</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) for good?</source>
        <translation>
            <numerusform>永久删除 %n 个运行？</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Their curves, notes and %n file(s) (%1) are removed. This cannot be undone.</source>
        <translation>
            <numerusform>其曲线、备注和 %n 个文件（%1）将被删除，且无法撤销。</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs that will be deleted</source>
        <translation>将被删除的运行</translation>
    </message>
    <message>
        <source>Type %1 to confirm:</source>
        <translation>输入 %1 以确认：</translation>
    </message>
    <message>
        <source>Number of runs to delete</source>
        <translation>要删除的运行数</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::EndNotifier</name>
    <message>
        <source>Training failed</source>
        <translation>训练失败</translation>
    </message>
    <message>
        <source>Training has ended</source>
        <translation>训练已结束</translation>
    </message>
    <message>
        <source>%1 of %2 runs of the study are complete.</source>
        <translation>研究的 %2 次运行中有 %1 次已完成。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::EventStepsDialog</name>
    <message>
        <source>Import an event file</source>
        <translation>导入事件文件</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>&amp;Effective batch (samples of an update)</source>
        <translation>有效批大小（一次参数更新的样本数）(&amp;E)</translation>
    </message>
    <message>
        <source>The file&apos;s &amp;steps count</source>
        <translation>文件的步数计的是(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>导入(&amp;I)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ExamplesDialog</name>
    <message>
        <source>Open in Set up</source>
        <translation>在设置中打开</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Each is an experiment with one question. It opens in Set up, where you can change it before you start it.</source>
        <translation>每个示例是一个要回答一个问题的实验。它会在设置页中打开，开始之前可以修改。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::FilterLine</name>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Filter: lenet5 status:completed B&gt;=256 lr&lt;1e-3 tag:paper NOT tag:tmp</source>
        <translation>筛选：lenet5 status:completed B&gt;=256 lr&lt;1e-3 tag:paper NOT tag:tmp</translation>
    </message>
    <message>
        <source>Words beside each other must all match. Also OR, NOT, (…), &quot;quotes&quot;.
Keys: %1</source>
        <translation>并列的词须全部匹配。还可使用 OR、NOT、(…) 和 &quot;引号&quot;。
键：%1</translation>
    </message>
    <message>
        <source>At character %1: %2</source>
        <translation>第 %1 个字符处：%2</translation>
    </message>
    <message>
        <source>What may come next</source>
        <translation>可接着输入的内容</translation>
    </message>
    <message>
        <source>Go to the filter</source>
        <translation>转到筛选</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::FindingList</name>
    <message>
        <source>Go to the field</source>
        <translation>转到该字段</translation>
    </message>
    <message>
        <source>Opens the Planner, which measures every size that makes up the effective batch</source>
        <translation>打开规划器，测量构成有效批大小的每个大小</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::FoundCard</name>
    <message>
        <source>What was found</source>
        <translation>识别结果</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>%1 · %2 training, %3 test</source>
        <translation>%1 · 训练 %2，测试 %3</translation>
    </message>
    <message>
        <source>%1, %2 of them frozen</source>
        <translation>%1，其中 %2 已冻结</translation>
    </message>
    <message>
        <source>%1, all of them trained</source>
        <translation>%1，全部参与训练</translation>
    </message>
    <message>
        <source>Reading the first samples…</source>
        <translation>正在读取前几个样本…</translation>
    </message>
    <message>
        <source>There is no sample to show.</source>
        <translation>没有可显示的样本。</translation>
    </message>
    <message>
        <source>The first samples</source>
        <translation>前几个样本</translation>
    </message>
    <message>
        <source>%1 (target)</source>
        <translation>%1（目标）</translation>
    </message>
    <message numerus="yes">
        <source>The first %n sample(s)</source>
        <translation>
            <numerusform>前 %n 个样本</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::GroupEditor</name>
    <message>
        <source>Filter of the runs</source>
        <translation>运行的筛选</translation>
    </message>
    <message>
        <source>Words that a run must have: name, arm, seed, status …</source>
        <translation>运行须包含的词：名称、组别、种子、状态……</translation>
    </message>
    <message>
        <source>Runs of the library and their groups</source>
        <translation>库中的运行及其所属组</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>移出</translation>
    </message>
    <message>
        <source>Takes the selected runs out of their group (key Del)</source>
        <translation>把选中的运行移出所属组（Del 键）</translation>
    </message>
    <message>
        <source>Compare these runs</source>
        <translation>比较这些运行</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>未采用：%1</translation>
    </message>
    <message>
        <source>Runs of the groups</source>
        <translation>各组的运行</translation>
    </message>
    <message>
        <source>Put into %1</source>
        <comment>letter of a group</comment>
        <translation>放入 %1 组</translation>
    </message>
    <message>
        <source>Puts the selected runs into group %1 (key %1)</source>
        <translation>把选中的运行放入 %1 组（%1 键）</translation>
    </message>
    <message>
        <source>Add group</source>
        <translation>添加组</translation>
    </message>
    <message>
        <source>One more group, without runs at first: up to eight</source>
        <translation>再添加一个空组，最多八个组</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n run(s)</source>
        <comment>letter of a group</comment>
        <translation>
            <numerusform>%1 组：%n 次运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::GroupModel</name>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Arm</source>
        <translation>组别</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::GroupVerdictModel</name>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Minus %1</source>
        <comment>letter of the reference</comment>
        <translation>减去 %1</translation>
    </message>
    <message>
        <source>90 % interval</source>
        <translation>90 % 区间</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>配对数</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>界限</translation>
    </message>
    <message>
        <source>p, equivalence</source>
        <translation>p（等价）</translation>
    </message>
    <message>
        <source>p, difference</source>
        <translation>p（差异）</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::Help</name>
    <message>
        <source>Close a dialog or a menu</source>
        <translation>关闭对话框或菜单</translation>
    </message>
    <message>
        <source>Next or previous control</source>
        <translation>下一个或上一个控件</translation>
    </message>
    <message>
        <source>Tables: select the row; buttons: press, as Enter does</source>
        <translation>表格：选择该行；按钮：按下（Enter 也可以）</translation>
    </message>
    <message>
        <source>Micro-batch m</source>
        <translation>微批次 m</translation>
    </message>
    <message>
        <source>The samples of one forward and backward pass; what has to fit into memory.</source>
        <translation>一次前向和反向传播的样本；内存必须容纳得下的部分。</translation>
    </message>
    <message>
        <source>Micro-step</source>
        <translation>微步</translation>
    </message>
    <message>
        <source>One forward and backward pass on one micro-batch.</source>
        <translation>在一个微批次上的一次前向和反向传播。</translation>
    </message>
    <message>
        <source>Accumulation steps K</source>
        <translation>累积步数 K</translation>
    </message>
    <message>
        <source>How many micro-batches are added up before the weights change.</source>
        <translation>权重改变之前累加多少个微批次。</translation>
    </message>
    <message>
        <source>Effective batch B</source>
        <translation>有效批大小 B</translation>
    </message>
    <message>
        <source>m × K × devices: the samples behind one update.</source>
        <translation>m × K × 设备数：一次参数更新所用的样本数。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>累积窗口</translation>
    </message>
    <message>
        <source>The micro-steps behind one update.</source>
        <translation>一次参数更新所含的各个微步。</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>One change of the weights by the optimizer.</source>
        <translation>优化器对权重的一次改变。</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Training samples seen since the start.</source>
        <translation>自开始以来已见的训练样本数。</translation>
    </message>
    <message>
        <source>Arm</source>
        <translation>组</translation>
    </message>
    <message>
        <source>One of the two ways to train: accumulated, or with the large batch at once.</source>
        <translation>两种训练方式之一：累积，或一次用大批量。</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>Two runs, one of each arm, with the same seed, the same initial weights and the same sample order.</source>
        <translation>两次运行，每组各一次，种子、初始权重和样本顺序都相同。</translation>
    </message>
    <message>
        <source>Margin δ</source>
        <translation>等价界限 δ</translation>
    </message>
    <message>
        <source>The largest difference that would not matter to you, fixed before the runs.</source>
        <translation>对您而言无关紧要的最大差异，在运行之前确定。</translation>
    </message>
    <message>
        <source>Equivalent</source>
        <translation>等价</translation>
    </message>
    <message>
        <source>The difference was shown to lie within the margin. “No difference found” alone never says that.</source>
        <translation>已证明差异位于等价界限之内。仅凭“没有发现差异”从不能这样说。</translation>
    </message>
    <message>
        <source>The words of Accumulus</source>
        <translation>Accumulus 用语</translation>
    </message>
    <message>
        <source>They mean the same everywhere: in the workbench, the library, exports and reports.</source>
        <translation>它们在各处含义相同：工作台、库、导出和报告。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Single letters act while a table or a plot has the focus.</source>
        <translation>单字母按键在表格或图获得焦点时有效。</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可</translation>
    </message>
    <message>
        <source>GNU General Public License, version 3 or later; without any warranty.</source>
        <translation>GNU 通用公共许可证第 3 版或更高版本；不提供任何担保。</translation>
    </message>
    <message>
        <source>About Accumulus</source>
        <translation>关于 Accumulus</translation>
    </message>
    <message>
        <source>A workbench for one question: what does gradient accumulation do to training, what does it cost, and is it really the large batch?</source>
        <translation>专为一个问题而设的工作台：梯度累积对训练有何影响，代价如何，它真的等同于大批量吗？</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>TorchScript: torch.jit.script(net).save(&quot;net.pt&quot;) or, for networks without dropout and BatchNorm, torch.jit.trace(net.eval(), example). For other networks, use export() above.</source>
        <translation>TorchScript：torch.jit.script(net).save(&quot;net.pt&quot;)；若网络中没有 dropout 和 BatchNorm，也可用 torch.jit.trace(net.eval(), example)。其他网络请用上面的 export()。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>safetensors, or a state dict that torch.save has written (.pt, .pth). They are read without running any code.</source>
        <translation>safetensors，或 torch.save 写出的 state dict（.pt、.pth）。读取时不会运行任何代码。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>inputs and targets as .npz, .safetensors or a folder of .npy; a table (.csv, .tsv); a text (.txt) or tokens (.bin); a folder of images by class; MNIST, CIFAR.</source>
        <translation>含 inputs 和 targets 的 .npz、.safetensors 或 .npy 文件夹；表格（.csv、.tsv）；文本（.txt）或词元（.bin）；按类别分文件夹的图像；MNIST、CIFAR。</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>The folder that export() writes, or the .toml in it, names all of them: drop only that, and the form is filled in.</source>
        <translation>export() 写出的文件夹或其中的 .toml 已指明以上各项：单独拖入，表单就会填好。</translation>
    </message>
    <message>
        <source>Getting the weights back</source>
        <translation>取回权重</translation>
    </message>
    <message>
        <source>Library: export a run&apos;s weights as safetensors; their names are those of your network.</source>
        <translation>在“库”中把某次运行的权重导出为 safetensors，其名称与您的网络一致。</translation>
    </message>
    <message>
        <source>Bring your own network</source>
        <translation>使用自己的网络</translation>
    </message>
    <message>
        <source>Compare, choose runs: put the selected runs into that group</source>
        <translation>对比页选择运行：把选中的运行放入该组</translation>
    </message>
    <message>
        <source>Saved comparisons and presets: rename</source>
        <translation>已保存的对比和预设：重命名</translation>
    </message>
    <message>
        <source>Live and Compare: next x axis</source>
        <translation>实时和对比：切换 x 轴</translation>
    </message>
    <message>
        <source>Live and Compare: smoothing</source>
        <translation>实时和对比：平滑</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::HomePage</name>
    <message>
        <source>Is it really the large batch?</source>
        <translation>它真的等同于大批量吗？</translation>
    </message>
    <message>
        <source>Train with gradient accumulation, train with the large batch, and see what differs: the curves, the cost, and a verdict over seeds.</source>
        <translation>先用梯度累积训练，再用大批量训练，看看有何不同：曲线、代价，以及跨种子的结论。</translation>
    </message>
    <message>
        <source>Set up an experiment</source>
        <translation>设置实验</translation>
    </message>
    <message>
        <source>Choose a model, a data set, an effective batch and how many micro-batches it is made of. The large batch can run beside it from the same weights and in the same sample order.</source>
        <translation>选择模型、数据集、有效批大小以及由多少个微批次组成。大批量组可以从相同的权重、以相同的样本顺序同时进行对照。</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>开始设置</translation>
    </message>
    <message>
        <source>Open a library</source>
        <translation>打开库</translation>
    </message>
    <message>
        <source>Every run is kept in one file with its curves, settings and checkpoints. Open another one, or a colleague&apos;s.</source>
        <translation>每次运行的曲线、设置和检查点都保存在一个文件中。可以打开另一个库，或同事的库。</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Run the 1-minute demo</source>
        <translation>运行 1 分钟演示</translation>
    </message>
    <message>
        <source>32 × 8</source>
        <translation>32 × 8</translation>
    </message>
    <message>
        <source>256 × 1</source>
        <translation>256 × 1</translation>
    </message>
    <message>
        <source>A small network learns handwritten digits twice, with 256 samples per update each time: as 8 micro-batches of 32 and as one batch of 256. Five seeds, then the verdict.</source>
        <translation>一个小网络把手写数字学习两遍，每次参数更新都用 256 个样本：一次是 8 个 32 的微批次，一次是一整批 256。五个种子，然后给出结论。</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>运行演示</translation>
    </message>
    <message>
        <source>Starts the bundled comparison and opens the Live page</source>
        <translation>开始内置的对比并打开“实时”页</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>正在查找设备…</translation>
    </message>
    <message>
        <source>Latest studies</source>
        <translation>最近的研究</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Unnamed study</source>
        <translation>未命名的研究</translation>
    </message>
    <message>
        <source>Press Enter or double-click to show its curves</source>
        <translation>按 Enter 或双击以显示曲线</translation>
    </message>
    <message>
        <source>Open now: %1</source>
        <translation>现在打开：%1</translation>
    </message>
    <message>
        <source>Bring your own network</source>
        <translation>使用自己的网络</translation>
    </message>
    <message>
        <source>Best result</source>
        <translation>最佳结果</translation>
    </message>
    <message>
        <source>Examples…</source>
        <translation>示例…</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Show curves</source>
        <translation>显示曲线</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>runs</comment>
        <translation>%1/%2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::InspectorDock</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::InterruptedBar</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Mark stopped</source>
        <translation>标记为已停止</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) of a study left unfinished have not started.</source>
        <translation>
            <numerusform>一项未完成的研究中有 %n 次运行尚未开始。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted before their end.</source>
        <translation>
            <numerusform>%n 次运行在结束前中断。</numerusform>
        </translation>
    </message>
    <message>
        <source>A study was left unfinished: %1, %2.</source>
        <translation>有一项研究未完成：%1，%2。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) interrupted</source>
        <translation>
            <numerusform>%n 次运行中断</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) not started</source>
        <translation>
            <numerusform>%n 次运行未开始</numerusform>
        </translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::JudgedMetricModel</name>
    <message>
        <source>%1 (not fixed)</source>
        <comment>a margin</comment>
        <translation>%1（事先未定）</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>90 % interval</source>
        <translation>90 % 区间</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>等价界限</translation>
    </message>
    <message>
        <source>p, equivalence</source>
        <translation>p（等价）</translation>
    </message>
    <message>
        <source>p, difference</source>
        <translation>p（差异）</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>配对数</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LibraryEdits</name>
    <message numerus="yes">
        <source>Move %n run(s) to Trash</source>
        <translation>
            <numerusform>将 %n 个运行移到回收站</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %n run(s)</source>
        <translation>
            <numerusform>恢复 %n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Edit notes</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <source>Edit tags</source>
        <translation>编辑标签</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Unpin baseline</source>
        <translation>取消基线</translation>
    </message>
    <message>
        <source>Pin baseline</source>
        <translation>设为基线</translation>
    </message>
    <message numerus="yes">
        <source>Edit %n run(s)</source>
        <translation>
            <numerusform>编辑 %n 个运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LibraryGateway</name>
    <message>
        <source>process %1 on %2</source>
        <translation>%2 上的进程 %1</translation>
    </message>
    <message>
        <source>unknown process</source>
        <translation>未知进程</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LibraryPage</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>New from run</source>
        <translation>以此新建</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Show curves</source>
        <translation>显示曲线</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Edit tags</source>
        <translation>编辑标签</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Empty Trash…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>Curves as CSV…</source>
        <translation>曲线（CSV）…</translation>
    </message>
    <message>
        <source>Everything as JSON…</source>
        <translation>全部内容（JSON）…</translation>
    </message>
    <message>
        <source>Best weights as safetensors…</source>
        <translation>最佳权重（safetensors）…</translation>
    </message>
    <message>
        <source>Last weights as safetensors…</source>
        <translation>最终权重（safetensors）…</translation>
    </message>
    <message>
        <source>Initial weights as safetensors…</source>
        <translation>初始权重（safetensors）…</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) moved to Trash.</source>
        <translation>
            <numerusform>已将 %n 个运行移到回收站。</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted.</source>
        <translation>
            <numerusform>已删除 %n 个运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n files saved.</source>
        <translation>
            <numerusform>已保存 %n 个文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Trash (%1)</source>
        <translation>回收站（%1）</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 / %2 个运行</translation>
    </message>
    <message>
        <source>0 of %1 runs match.</source>
        <translation>%1 个运行中没有匹配项。</translation>
    </message>
    <message>
        <source>The filter hides every run.</source>
        <translation>筛选条件隐藏了所有运行。</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>The Trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <source>Back to the runs</source>
        <translation>返回运行列表</translation>
    </message>
    <message>
        <source>No runs yet.</source>
        <translation>尚无运行。</translation>
    </message>
    <message>
        <source>Every run is kept here with its curves, settings and checkpoints, to filter, compare and export.</source>
        <translation>每次运行的曲线、设置和检查点都保存在这里，可以筛选、对比和导出。</translation>
    </message>
    <message>
        <source>Set up a run</source>
        <translation>设置一次运行</translation>
    </message>
    <message>
        <source>Compare the two groups (Enter)</source>
        <translation>对比这两组（Enter）</translation>
    </message>
    <message>
        <source>Select accumulated and large-batch runs to compare them</source>
        <translation>选择累积组和大批量组的运行以进行对比</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message numerus="yes">
        <source>Exporting %n file(s)…</source>
        <translation>
            <numerusform>正在导出 %n 个文件…</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message numerus="yes">
        <source>Resume %n run(s)</source>
        <translation>
            <numerusform>继续 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>The selected runs have no such checkpoint.</source>
        <translation>所选运行没有这种检查点。</translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n group(s)</source>
        <translation>
            <numerusform>%1，共 %n 组</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs that you move to the Trash stay here for 30 days, or until you empty it.</source>
        <translation>移入回收站的运行会在此保留 30 天，或到您清空为止。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were deleted after 30 days in the Trash.</source>
        <translation>
            <numerusform>%n 个运行在回收站中满 30 天，已删除。</numerusform>
        </translation>
    </message>
    <message>
        <source>Unpin baseline</source>
        <translation>取消基线</translation>
    </message>
    <message>
        <source>Pin as baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Unprotect</source>
        <translation>取消保护</translation>
    </message>
    <message>
        <source>Protect</source>
        <translation>保护</translation>
    </message>
    <message>
        <source>No colour</source>
        <translation>无颜色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Vermilion</source>
        <translation>朱红</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>粉色</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>橙色</translation>
    </message>
    <message>
        <source>Sky blue</source>
        <translation>天蓝</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>黄色</translation>
    </message>
    <message>
        <source>Open all groups</source>
        <translation>展开所有分组</translation>
    </message>
    <message>
        <source>Close all groups</source>
        <translation>折叠所有分组</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Copy rows as Markdown</source>
        <translation>以 Markdown 复制行</translation>
    </message>
    <message>
        <source>Check library</source>
        <translation>检查库</translation>
    </message>
    <message>
        <source>Back up library…</source>
        <translation>备份库…</translation>
    </message>
    <message>
        <source>Restore library…</source>
        <translation>恢复库…</translation>
    </message>
    <message>
        <source>Curves as CSV, one row per update…</source>
        <translation>曲线导出为 CSV（每次参数更新一行）…</translation>
    </message>
    <message>
        <source>TensorBoard, updates as steps…</source>
        <translation>TensorBoard（以参数更新为步）…</translation>
    </message>
    <message>
        <source>TensorBoard, samples as steps…</source>
        <translation>TensorBoard（以样本为步）…</translation>
    </message>
    <message>
        <source>Group runs</source>
        <translation>运行分组</translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>Group by configuration</source>
        <translation>按配置分组</translation>
    </message>
    <message>
        <source>Group by study</source>
        <translation>按研究分组</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Saved views: filter, columns, order and groups under a name</source>
        <translation>已保存的视图：以一个名称保存筛选、列、排序和分组</translation>
    </message>
    <message>
        <source>Accumulus libraries (*.sqlite *.db);;All files (*)</source>
        <translation>Accumulus 库 (*.sqlite *.db);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1，%2。</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoint(s)</source>
        <translation>
            <numerusform>%n 个检查点</numerusform>
        </translation>
    </message>
    <message>
        <source>Back up library</source>
        <translation>备份库</translation>
    </message>
    <message>
        <source>Restore library from</source>
        <translation>从备份恢复库</translation>
    </message>
    <message>
        <source>The library is damaged: %1. Restore it from a copy.</source>
        <translation>库已损坏：%1。请从备份恢复。</translation>
    </message>
    <message numerus="yes">
        <source>The library is sound, but %n checkpoint file(s) are gone.</source>
        <translation>
            <numerusform>库完好，但缺少 %n 个检查点文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>The library is sound:</source>
        <translation>库完好：</translation>
    </message>
    <message>
        <source>Backed up as %1. Checkpoint files are not part of it.</source>
        <translation>已备份为 %1。其中不含检查点文件。</translation>
    </message>
    <message>
        <source>Stop training first, then restore the library.</source>
        <translation>请先停止训练，再恢复库。</translation>
    </message>
    <message>
        <source>Restored. The previous library is kept as %1.</source>
        <translation>已恢复。原来的库保存为 %1。</translation>
    </message>
    <message>
        <source>Show only</source>
        <translation>只显示</translation>
    </message>
    <message>
        <source>Name of a view to save</source>
        <translation>要保存的视图名称</translation>
    </message>
    <message>
        <source>Save as: name, then Enter</source>
        <translation>另存为：输入名称后按回车</translation>
    </message>
    <message>
        <source>Delete view</source>
        <translation>删除视图</translation>
    </message>
    <message>
        <source>Imported runs go on only where they were trained.</source>
        <translation>导入的运行只能在其训练之处继续。</translation>
    </message>
    <message>
        <source>Checking the library…</source>
        <translation>正在检查库…</translation>
    </message>
    <message>
        <source>Backing up the library…</source>
        <translation>正在备份库…</translation>
    </message>
    <message>
        <source>A backup is being written. Wait until it has ended.</source>
        <translation>正在写入一个备份。请等它完成。</translation>
    </message>
    <message>
        <source>Restoring the library…</source>
        <translation>正在恢复库…</translation>
    </message>
    <message>
        <source>Select runs to add them to the comparison as one more group.</source>
        <translation>请先选中要作为新的一组加入对比的运行。</translation>
    </message>
    <message>
        <source>Nothing is compared yet. Compare two groups first.</source>
        <translation>尚未进行对比。请先对比两个组。</translation>
    </message>
    <message>
        <source>These runs are compared already.</source>
        <translation>这些运行已在对比中。</translation>
    </message>
    <message>
        <source>Eight groups are compared already. Remove one in Compare first.</source>
        <translation>已在对比八个组。请先在对比页移出一个组。</translation>
    </message>
    <message>
        <source>Runs in the Trash are not compared. Restore them first.</source>
        <translation>回收站中的运行不参与对比。请先恢复它们。</translation>
    </message>
    <message>
        <source>Curves of runs in the Trash are not shown. Restore them first.</source>
        <translation>不显示回收站中运行的曲线。请先恢复它们。</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message numerus="yes">
        <source>What was typed for %n run(s) is not applied yet.</source>
        <translation>
            <numerusform>为 %n 个运行输入的内容尚未应用。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Add the selected runs to Compare as one more group (G)</source>
        <translation>把所选运行作为新的一组加入对比（G）</translation>
    </message>
    <message>
        <source>Add to Compare as a group</source>
        <translation>作为一组加入对比</translation>
    </message>
    <message>
        <source>Add group</source>
        <translation>添加组</translation>
    </message>
    <message>
        <source>Column of the runs…</source>
        <translation>运行列表的列…</translation>
    </message>
    <message>
        <source>Open the Library first, with runs in its table.</source>
        <translation>请先打开库，并让表格中显示运行。</translation>
    </message>
    <message>
        <source>Delete the view</source>
        <translation>删除视图</translation>
    </message>
    <message>
        <source>The view “%1” was deleted.</source>
        <translation>视图“%1”已删除。</translation>
    </message>
    <message>
        <source>Save the view</source>
        <translation>保存视图</translation>
    </message>
    <message>
        <source>The view “%1” was replaced.</source>
        <translation>视图“%1”已被替换。</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename the study; its runs that are named after it follow</source>
        <translation>重命名研究；以其命名的运行随之更名</translation>
    </message>
    <message>
        <source>Rename the run</source>
        <translation>重命名运行</translation>
    </message>
    <message>
        <source>Report of the run</source>
        <translation>运行报告</translation>
    </message>
    <message>
        <source>Report of the comparison of both groups</source>
        <translation>两组对比的报告</translation>
    </message>
    <message>
        <source>Select one run, or accumulated and large-batch runs</source>
        <translation>请选择一个运行，或累积与大批量运行</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Command copied.</source>
        <translation>命令已复制。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LiveControls</name>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>墙钟时间</translation>
    </message>
    <message>
        <source>Active time</source>
        <translation>净训练时间</translation>
    </message>
    <message>
        <source>&amp;x axis</source>
        <translation>x 轴(&amp;X)</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x 轴</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>y 对数</translation>
    </message>
    <message>
        <source>Logarithmic y axis for loss and gradient norm</source>
        <translation>损失和梯度范数使用对数 y 轴</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Keep the newest points in view</source>
        <translation>使最新的点保持可见</translation>
    </message>
    <message>
        <source>Log x</source>
        <translation>x 对数</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>对数 x 轴</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LiveHeader</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stops at the next update and keeps a checkpoint</source>
        <translation>在下一次参数更新处停止并保留检查点</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>立即停止</translation>
    </message>
    <message>
        <source>Compare arms</source>
        <translation>对比两组</translation>
    </message>
    <message>
        <source>Progress of the study</source>
        <translation>研究的进度</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Waiting for the first run</source>
        <translation>等待第一次运行</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>run %1 of %2</source>
        <translation>运行 %1 / %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，数据 %2</translation>
    </message>
    <message>
        <source>update %1 of %2</source>
        <translation>参数更新 %1 / %2</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 to %2 left</source>
        <translation>剩余 %1 至 %2</translation>
    </message>
    <message>
        <source>estimating</source>
        <translation>正在估计</translation>
    </message>
    <message>
        <source>Stops after the current micro-step and saves what can be kept of the open window</source>
        <translation>在当前微步之后停止，并保存未完成的累积窗口中可以保存的内容</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>Resume the study</source>
        <translation>继续该研究</translation>
    </message>
    <message numerus="yes">
        <source>Continues %n unfinished run(s)</source>
        <translation>
            <numerusform>%n 次未结束的运行将继续</numerusform>
        </translation>
    </message>
    <message>
        <source>micro-step %1/%2 of update %3</source>
        <translation>第 %3 次参数更新，微步 %1/%2</translation>
    </message>
    <message numerus="yes">
        <source>%n micro-step(s) per update</source>
        <translation>
            <numerusform>每次参数更新 %n 个微步</numerusform>
        </translation>
    </message>
    <message>
        <source>shown update by update</source>
        <translation>按参数更新显示</translation>
    </message>
    <message>
        <source>When other processes train, only complete windows are reported.</source>
        <translation>由其他进程训练时，只有累积窗口结束后才能得知进度。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LivePage</name>
    <message>
        <source>No run yet.</source>
        <translation>尚无运行。</translation>
    </message>
    <message>
        <source>Preparing the study…</source>
        <translation>正在准备研究…</translation>
    </message>
    <message>
        <source>The curves of a training run appear here while it runs: loss, accuracy, gradient norm, learning rate and speed, both arms of a pair in one picture.</source>
        <translation>训练运行时，曲线会显示在这里：损失、准确率、梯度范数、学习率和速度，一个配对的两组画在同一图中。</translation>
    </message>
    <message>
        <source>Set up a run</source>
        <translation>设置一次运行</translation>
    </message>
    <message>
        <source>%1 of %2 runs completed</source>
        <translation>已完成 %1 / %2 次运行</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>runs completed, and where the others stand</comment>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) chosen in the Library drawn in full, the others as thin lines.</source>
        <translation>
            <numerusform>在库中选中的 %n 个运行完整画出，其余画成细线。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all as usual</source>
        <translation>恢复通常的显示</translation>
    </message>
    <message>
        <source>Compare the arms of the study shown</source>
        <translation>对比所示研究的两组</translation>
    </message>
    <message>
        <source>Resume the study shown</source>
        <translation>继续所示研究</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LivePanels</name>
    <message>
        <source>updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>wall time since the start of the run (s)</source>
        <translation>自运行开始的墙钟时间（秒）</translation>
    </message>
    <message>
        <source>active time (s)</source>
        <translation>净训练时间（秒）</translation>
    </message>
    <message>
        <source>samples seen</source>
        <translation>已见样本</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>The first point appears after the first update.</source>
        <translation>第一次参数更新会画出第一个点。</translation>
    </message>
    <message>
        <source>accuracy (%)</source>
        <translation>准确率（%）</translation>
    </message>
    <message>
        <source>No evaluation yet.</source>
        <translation>尚无评估。</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2 范数</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>No update yet.</source>
        <translation>尚无参数更新。</translation>
    </message>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，种子 %2</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Gradient norm, learning rate, noise scale</source>
        <translation>梯度范数、学习率、噪声尺度</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Speed, where the time of a window goes, peak memory</source>
        <translation>速度、窗口时间的去向、峰值内存</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <source>The probed parameter at every micro-step</source>
        <translation>每个微步上被探测的参数</translation>
    </message>
    <message>
        <source>Gradient noise scale</source>
        <translation>梯度噪声尺度</translation>
    </message>
    <message>
        <source>B_simple = tr Σ / |G|² (McCandlish et al. 2018): about the batch size up to which a larger batch pays. Ratio of two running averages over about 100 windows.</source>
        <translation>B_simple = tr Σ / |G|²（McCandlish 等，2018）：批大小增大到大约这个数值之前都是划算的。由约 100 个窗口的两个滑动平均之比得出。</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>From the newest %1 windows of the accumulated run that give an estimate</source>
        <translation>取自累积组最新的 %1 个可作估计的窗口</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>时间的去向</translation>
    </message>
    <message>
        <source>loss units</source>
        <translation>损失单位</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Peak memory of training over the run</source>
        <translation>整个运行中训练的峰值内存</translation>
    </message>
    <message>
        <source>Peak memory of training so far</source>
        <translation>训练至今的峰值内存</translation>
    </message>
    <message>
        <source>Of tensors, without evaluations</source>
        <translation>张量占用，不含评估</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>%1 · validation ▲</source>
        <translation>%1 · 验证 ▲</translation>
    </message>
    <message>
        <source>Test loss · validation ▲</source>
        <translation>测试损失 · 验证 ▲</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>%1, validation</source>
        <translation>%1，验证</translation>
    </message>
    <message>
        <source>%1 (chosen)</source>
        <translation>%1（已选）</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LiveRecovery</name>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，随机种子 %2</translation>
    </message>
    <message>
        <source>Resume from update %1 in smaller parts</source>
        <translation>以更小的部分从第 %1 次参数更新继续</translation>
    </message>
    <message>
        <source>Begin again in smaller parts</source>
        <translation>以更小的部分重新开始</translation>
    </message>
    <message>
        <source>A micro-batch that does not fit is computed in parts of half the size, halved again as needed. The effective batch stays the same.</source>
        <translation>放不下的部分按一半大小计算，仍放不下则再减半。有效批大小不变。</translation>
    </message>
    <message>
        <source>Set up with %1, same effective batch</source>
        <translation>以 %1 设置，有效批大小不变</translation>
    </message>
    <message>
        <source>A new study with half the micro-batch and twice the accumulation steps</source>
        <translation>新研究：微批次减半，累积步数加倍</translation>
    </message>
    <message>
        <source>Set up with a dynamic loss scale</source>
        <translation>以动态损失缩放设置</translation>
    </message>
    <message>
        <source>A new study whose loss scale is lowered after an overflow</source>
        <translation>新研究：溢出后降低损失缩放</translation>
    </message>
    <message>
        <source>Open in Set up</source>
        <translation>在设置中打开</translation>
    </message>
    <message>
        <source>The settings of this study and its first samples</source>
        <translation>该研究的设置及其最前面的样本</translation>
    </message>
    <message>
        <source>Set up with learning rate %1</source>
        <translation>以学习率 %1 设置</translation>
    </message>
    <message>
        <source>A new study with half the learning rate</source>
        <translation>新研究：学习率减半</translation>
    </message>
    <message>
        <source>Set up to skip such updates</source>
        <translation>设置为跳过此类参数更新</translation>
    </message>
    <message>
        <source>A new study that skips the update when the loss or the gradient is not finite</source>
        <translation>新研究：损失或梯度非有限时不做参数更新，继续训练</translation>
    </message>
    <message numerus="yes">
        <source>%n other run(s) of this study failed, too.</source>
        <translation>
            <numerusform>此研究的另外 %n 次运行也失败了。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Resume %n run(s) in smaller parts</source>
        <translation>
            <numerusform>以更小的部分继续 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Set up to split micro-batches that do not fit</source>
        <translation>设置为把放不下的分成更小的部分计算</translation>
    </message>
    <message>
        <source>A new study that goes on in smaller parts where memory runs out; the batches stay the same</source>
        <translation>新研究：内存不足时分成更小的部分继续；批大小不变</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LogDock</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Lowest level shown</source>
        <translation>显示的最低级别</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Filter the log</source>
        <translation>筛选日志</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LogModel</name>
    <message>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::LrPreview</name>
    <message>
        <source>Learning-rate preview</source>
        <translation>学习率预览</translation>
    </message>
    <message>
        <source>The learning rate over the run appears once batch and data are known.</source>
        <translation>批次和数据确定后，此处显示整个运行的学习率。</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Axis of the learning-rate preview</source>
        <translation>学习率预览的横轴</translation>
    </message>
    <message>
        <source>over updates</source>
        <translation>按参数更新</translation>
    </message>
    <message>
        <source>over samples</source>
        <translation>按样本</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::MainWindow</name>
    <message>
        <source>Undone: %1</source>
        <translation>已撤销：%1</translation>
    </message>
    <message>
        <source>Redone: %1</source>
        <translation>已重做：%1</translation>
    </message>
    <message>
        <source>“%1” is complete.</source>
        <translation>“%1”已完成。</translation>
    </message>
    <message>
        <source>%1 of %2 runs of “%3” are complete.</source>
        <translation>“%3”的 %2 次运行中有 %1 次已完成。</translation>
    </message>
    <message>
        <source>“%1” was stopped.</source>
        <translation>“%1”已停止。</translation>
    </message>
    <message>
        <source>“%1” was stopped in run %2 of %3.</source>
        <translation>“%1”已在第 %2 次运行（共 %3 次）中停止。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stay open</source>
        <translation>保持打开</translation>
    </message>
    <message>
        <source>This library is read-only: you cannot train, change or delete anything here.</source>
        <translation>此库只能读取：在这里不能训练、更改或删除任何内容。</translation>
    </message>
    <message>
        <source>A study is running. Stop it or wait until it ends before you open another library.</source>
        <translation>有研究正在运行。请先停止它或等它结束，再打开另一个库。</translation>
    </message>
    <message>
        <source>Open library</source>
        <translation>打开库</translation>
    </message>
    <message>
        <source>Accumulus libraries (*.sqlite *.db);;All files (*)</source>
        <translation>Accumulus 库 (*.sqlite *.db);;所有文件 (*)</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做(&amp;R)：%1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>The window closes when the last study is complete.</source>
        <translation>最后一项研究完成后窗口将关闭。</translation>
    </message>
    <message>
        <source>The window closes when the remaining work is finished.</source>
        <translation>正在进行的工作完成后窗口关闭。</translation>
    </message>
    <message>
        <source>Saving a checkpoint; then the window closes.</source>
        <translation>正在保存检查点；随后窗口将关闭。</translation>
    </message>
    <message>
        <source>“%1” is training on %2, but nothing here is following it.</source>
        <translation>“%1”正在 %2 上训练，这里没有跟踪它。</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>继续跟踪</translation>
    </message>
    <message>
        <source>Waiting until the study has stopped there. To close the window at once, close it again.</source>
        <translation>正在等待研究在那里停止。若要立即关闭窗口，请再次关闭。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Writing to the library; then the window closes.</source>
        <translation>正在写入库，完成后窗口将关闭。</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Resume the others</source>
        <translation>继续其余运行</translation>
    </message>
    <message>
        <source>Another window has this library open (%1). Here you can look at everything, but not train, change or delete anything. If that window is gone, delete %2.</source>
        <translation>另一个窗口已打开此库（%1）。在这里可以查看一切，但不能训练、更改或删除。如果那个窗口已不存在，请删除 %2。</translation>
    </message>
    <message>
        <source>Added to the queue, which is paused.</source>
        <translation>已加入队列；队列处于暂停状态。</translation>
    </message>
    <message>
        <source>Added to the queue. It starts when the studies before it have ended.</source>
        <translation>已加入队列。排在前面的研究结束后开始。</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>显示队列</translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) from last time wait in the queue. Nothing trains until you continue it.</source>
        <translation>
            <numerusform>队列中有上次留下的 %n 项研究。在您继续队列之前不会开始训练。</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue the queue</source>
        <translation>继续队列</translation>
    </message>
    <message>
        <source>Continue the &amp;queue</source>
        <translation>继续队列(&amp;Q)</translation>
    </message>
    <message>
        <source>Pause the &amp;queue after this study</source>
        <translation>此研究结束后暂停队列(&amp;Q)</translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation>没有可撤销的操作。</translation>
    </message>
    <message>
        <source>There is nothing to redo.</source>
        <translation>没有可重做的操作。</translation>
    </message>
    <message>
        <source>The run is stopping.</source>
        <translation>运行正在停止。</translation>
    </message>
    <message>
        <source>Nothing is training.</source>
        <translation>没有正在训练的运行。</translation>
    </message>
    <message>
        <source>Nothing is training or waiting.</source>
        <translation>没有训练，也没有等待的研究。</translation>
    </message>
    <message>
        <source>Select runs in the Library that this works with.</source>
        <translation>请在“库”中选择适用的运行。</translation>
    </message>
    <message>
        <source>Compare arms</source>
        <translation>对比两组</translation>
    </message>
    <message>
        <source>The queue could not be saved. To close without saving it, close the window again.</source>
        <translation>队列未能保存。若不保存就关闭，请再次关闭窗口。</translation>
    </message>
    <message>
        <source>Notes, tags or a name are not saved yet. They are still in the Library. To close without saving them, close the window again.</source>
        <translation>备注、标签或名称尚未保存，它们仍在“库”页面中。若不保存而直接关闭，请再次关闭窗口。</translation>
    </message>
    <message>
        <source>New library</source>
        <translation>新建库</translation>
    </message>
    <message>
        <source>Accumulus libraries (*.sqlite)</source>
        <translation>Accumulus 库 (*.sqlite)</translation>
    </message>
    <message>
        <source>%1 is there already and was not changed. Choose another name, or open it with Open library.</source>
        <translation>%1 已存在，未作更改。请换一个名称，或用“打开库”打开它。</translation>
    </message>
    <message>
        <source>The inspector opens beside Live, Compare, and the report or audit of a run. The Library shows the details of the selected run itself.</source>
        <translation>检查器在实时、对比页面以及单个运行的报告和审计旁打开。库页面本身就显示所选运行的详情。</translation>
    </message>
    <message>
        <source>Waiting for the library %1: another program is using it, or it is being brought to this version.</source>
        <translation>正在等待库 %1：另一个程序正在使用它，或正在将其升级到此版本。</translation>
    </message>
    <message>
        <source>This page shows no plot now.</source>
        <translation>此页面目前没有图表。</translation>
    </message>
    <message>
        <source>For each seed the demo trained the same network twice, from the same weights and with the same samples in each update: as accumulated micro-batches, and as one large batch. The verdict says whether the results of the two differ by more than the margin that was fixed before the start.</source>
        <translation>演示用每个随机种子把同一个网络训练两次，初始权重相同，每次参数更新的样本也相同：一次用累积的微批次，一次用一个大批量。结论说明两者结果之差是否超过开始前定下的等价界限。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::Manual</name>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>手册页面</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>返回(&amp;B)</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::MemoryBar</name>
    <message>
        <source>Memory fits</source>
        <translation>内存足够</translation>
    </message>
    <message>
        <source>Memory is tight</source>
        <translation>内存偏紧</translation>
    </message>
    <message>
        <source>Too much memory</source>
        <translation>内存超出</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1, ± wide</source>
        <translation>%1，± 误差大</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of the limit of %2</source>
        <translation>%1 / 上限 %2</translation>
    </message>
    <message>
        <source>activations %1, optimizer %2, gradients %3, parameters %4</source>
        <translation>激活值 %1，优化器 %2，梯度 %3，参数 %4</translation>
    </message>
    <message>
        <source>formula %1: %2</source>
        <translation>公式 %1：%2</translation>
    </message>
    <message>
        <source>last run of this set-up: %1 by tensors</source>
        <translation>此设置上次运行：张量 %1</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>used by others %1, device %2</source>
        <translation>其他程序已用 %1，设备共 %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>parts of a memory</comment>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>activations %1, workspace and the rest %2, optimizer %3, gradients %4, parameters %5</source>
        <translation>激活值 %1，工作区及其余 %2，优化器 %3，梯度 %4，参数 %5</translation>
    </message>
    <message>
        <source>used by others %1, free %2, GPU %3</source>
        <translation>其他程序已用 %1，可用 %2，GPU 共 %3</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::Menu</name>
    <message>
        <source>Text &amp;size</source>
        <translation>文字大小(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>缩小文字(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>首页</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>&amp;New experiment</source>
        <translation>新建实验(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open library…</source>
        <translation>打开库(&amp;O)…</translation>
    </message>
    <message>
        <source>Show library &amp;folder</source>
        <translation>显示库所在文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Export selected runs…</source>
        <translation>导出所选运行(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Report</source>
        <translation>报告(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy experiment as command</source>
        <translation>将实验复制为命令(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Filter runs</source>
        <translation>筛选运行(&amp;F)</translation>
    </message>
    <message>
        <source>Run the 1-minute &amp;demo</source>
        <translation>运行 1 分钟演示(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>S&amp;top at the next update</source>
        <translation>在下一次参数更新处停止(&amp;T)</translation>
    </message>
    <message>
        <source>Stop &amp;now</source>
        <translation>立即停止(&amp;N)</translation>
    </message>
    <message>
        <source>Finishes the open window and saves a checkpoint</source>
        <translation>完成当前累积窗口并保存检查点</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>The &amp;words of Accumulus</source>
        <translation>Accumulus 用语(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Accumulus</source>
        <translation>关于 Accumulus(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Stops after the current micro-step and saves what can be kept of the open window</source>
        <translation>在当前微步之后停止，并保存未完成的累积窗口中可以保存的内容</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>规划器</translation>
    </message>
    <message>
        <source>&amp;Bring your own network</source>
        <translation>使用自己的网络(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Import runs…</source>
        <translation>导入运行(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Add to the queue</source>
        <translation>加入队列(&amp;A)</translation>
    </message>
    <message>
        <source>What stands in Set up waits for its turn</source>
        <translation>“设置”中的实验排队等待</translation>
    </message>
    <message>
        <source>Pause the &amp;queue after this study</source>
        <translation>此研究结束后暂停队列(&amp;Q)</translation>
    </message>
    <message>
        <source>Notify when a study &amp;ends</source>
        <translation>研究结束时通知(&amp;E)</translation>
    </message>
    <message>
        <source>Notify when training &amp;fails</source>
        <translation>训练失败时通知(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Queue</source>
        <translation>队列(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Search actions…</source>
        <translation>搜索操作(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>F1 opens the manual at the current page, ? lists the keys, and Ctrl+K finds any action by name.</source>
        <translation>F1 打开手册中关于当前页面的一页，? 列出按键，Ctrl+K 按名称查找任何操作。</translation>
    </message>
    <message>
        <source>Type two of micro-batch, accumulation steps and effective batch; the Computed menu chooses which one is derived.</source>
        <translation>输入微批次、累积步数和有效批大小中的两项：由“计算得出”菜单选择随之得出的一项。</translation>
    </message>
    <message>
        <source>In a plot the wheel zooms, dragging moves, a double click fits, and X changes the axis; the others follow.</source>
        <translation>在图中，滚轮缩放，拖动平移，双击适应数据，X 键切换横轴；其他图随之变化。</translation>
    </message>
    <message>
        <source>The margin counts as fixed when it was set before the results; one that is changed later is marked as such.</source>
        <translation>等价界限在得到结果之前设定才算事先固定；之后更改的会注明。</translation>
    </message>
    <message>
        <source>The filter line takes conditions such as B&gt;=256 or status:completed, and the Edit menu undoes what was changed here.</source>
        <translation>筛选栏可输入条件，如 B&gt;=256 或 status:completed；在此所做的更改可用“编辑”菜单撤销。</translation>
    </message>
    <message>
        <source>An audit trains nothing: at fixed weights it compares the accumulated gradient with that of the large batch.</source>
        <translation>审计不进行训练：它在固定权重下比较累积梯度与大批量的梯度。</translation>
    </message>
    <message>
        <source>Each size is tried in its own process, so one that runs out of memory affects nothing else.</source>
        <translation>每种大小都在单独的进程中试算：内存不足的那个不会影响其他进程。</translation>
    </message>
    <message>
        <source>A report has its own language and always light colours, whatever the window looks like.</source>
        <translation>报告有自己的语言，并且总是浅色，与窗口的外观无关。</translation>
    </message>
    <message>
        <source>&amp;Examples…</source>
        <translation>示例(&amp;E)…</translation>
    </message>
    <message>
        <source>New &amp;library…</source>
        <translation>新建库(&amp;L)…</translation>
    </message>
    <message>
        <source>A&amp;nimations</source>
        <translation>动画(&amp;N)</translation>
    </message>
    <message>
        <source>Panels slide, and the bar on Live fills while a window is computed</source>
        <translation>面板滑动显示，实时页面的批次条随累积窗口的计算逐渐填充</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>检查器(&amp;I)</translation>
    </message>
    <message>
        <source>Details of the run that the page is about</source>
        <translation>页面所涉及的运行的详情</translation>
    </message>
    <message>
        <source>Show &amp;hints again</source>
        <translation>再次显示提示(&amp;H)</translation>
    </message>
    <message>
        <source>Save &amp;plot…</source>
        <translation>保存图(&amp;P)…</translation>
    </message>
    <message>
        <source>The plot that has the focus, else the first one of the page</source>
        <translation>拥有焦点的图，否则为页面上的第一个</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::MicroPointModel</name>
    <message>
        <source>m</source>
        <comment>micro-batch</comment>
        <translation>m</translation>
    </message>
    <message>
        <source>K</source>
        <comment>accumulation steps</comment>
        <translation>K</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Time per update</source>
        <translation>每次参数更新用时</translation>
    </message>
    <message>
        <source>Over the best</source>
        <translation>比最快多</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>%1, of %2 threads</source>
        <translation>%1，各 %2 线程</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>✓ recommended, verified</source>
        <translation>✓ 推荐，已验证</translation>
    </message>
    <message>
        <source>✓ recommended</source>
        <translation>✓ 推荐</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>recommended so far</source>
        <translation>目前推荐</translation>
    </message>
    <message>
        <source>smallest with 95 % of the best speed</source>
        <translation>达到最快速度 95 % 的最小值</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::NotesView</name>
    <message>
        <source>Notes, formatted</source>
        <translation>备注（已排版）</translation>
    </message>
    <message>
        <source>Click, or press Enter or F2, to edit</source>
        <translation>单击，或按 Enter 或 F2 编辑</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::NoticeBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::OwnNetwork</name>
    <message>
        <source>Lines for Python</source>
        <translation>Python 代码</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save accumulus_export.py…</source>
        <translation>保存 accumulus_export.py…</translation>
    </message>
    <message>
        <source>Copy the lines for Python</source>
        <translation>复制 Python 代码</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Save accumulus_export.py</source>
        <translation>保存 accumulus_export.py</translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation>Python 文件 (*.py)</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Network, weights or data</source>
        <translation>网络、权重或数据</translation>
    </message>
    <message>
        <source>Save accumulus_export.py beside your PyTorch script, add these lines where the network and the data are ready, and run it. It writes a folder with the network, the samples and an experiment: drop it here or on Set up, or choose the experiment.toml in it. A TorchScript module, weights or data that you already have can be dropped as well.</source>
        <translation>把 accumulus_export.py 保存到 PyTorch 脚本旁边，在网络和数据都准备好的地方加入这几行，然后运行。它会写出一个文件夹，其中有网络、样本和实验；把它拖到这里或“设置”页，或者选择其中的 experiment.toml。已有的 TorchScript 模块、权重或数据也可以直接拖入。</translation>
    </message>
    <message>
        <source>A network, weights, data, or the experiment.toml in the folder that export() has written</source>
        <translation>网络、权重、数据，或 export() 写出的文件夹中的 experiment.toml</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PageHints</name>
    <message>
        <source>Got it</source>
        <translation>知道了</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PairModel</name>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Samples seen</source>
        <translation>已见样本</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>%1 (SD %2)</source>
        <translation>%1（SD %2）</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PathChooser</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Forget these</source>
        <translation>清除这些记录</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlaceBox</name>
    <message>
        <source>Train on</source>
        <translation>训练位置</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Change or remove this place</source>
        <translation>更改或删除此位置</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Another place…</source>
        <translation>其他位置…</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlaceDialog</name>
    <message>
        <source>Place to train at</source>
        <translation>训练位置</translation>
    </message>
    <message>
        <source>Add a place to train at</source>
        <translation>添加训练位置</translation>
    </message>
    <message>
        <source>user@host, or empty for this computer</source>
        <translation>user@host；留空表示本机</translation>
    </message>
    <message>
        <source>Train as a job of a Slurm cluster</source>
        <translation>作为 Slurm 集群的作业训练</translation>
    </message>
    <message>
        <source>the default library there</source>
        <translation>那里的默认库</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Options of sbatch</source>
        <translation>sbatch 选项</translation>
    </message>
    <message>
        <source>Program there</source>
        <translation>那里的程序</translation>
    </message>
    <message>
        <source>Library there</source>
        <translation>那里的库</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Accumulus must be installed there, and “ssh HOST” must connect without prompting. Runs are recorded in this library. They continue when the connection is lost or this window closes.</source>
        <translation>那里必须已安装 Accumulus，并且“ssh HOST”无需任何输入即可连接。运行会记录在此库中；连接中断或关闭此窗口后，运行会继续。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlanAdvice</name>
    <message>
        <source>measured %1</source>
        <translation>测量于 %1</translation>
    </message>
    <message>
        <source>CPU: process memory, of tensors</source>
        <translation>CPU：进程内存（张量）</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>Memory from m = %1 on: %2 + %3 per sample, at most %4 % off.</source>
        <translation>内存自 m = %1 起：%2 + 每样本 %3，误差至多 %4 %。</translation>
    </message>
    <message>
        <source>&amp;Use in set-up</source>
        <translation>用于设置(&amp;U)</translation>
    </message>
    <message>
        <source>Fills in the micro-batch and the accumulation steps; the effective batch stays</source>
        <translation>填入微批次和累积步数；有效批大小不变</translation>
    </message>
    <message>
        <source>No size is recommended.</source>
        <translation>没有推荐的大小。</translation>
    </message>
    <message>
        <source>Cancelled. %1</source>
        <translation>已取消。%1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln size(s) tried so far</source>
        <translation>
            <numerusform>目前已尝试 %Ln 个大小</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Memory from m = %1 on, on %n lane(s): %2 + %3 per sample, at most %4 % off. Sizes with another number of lanes need different amounts: each lane has its own activations.</source>
        <translation>
            <numerusform>%n 条通道时，内存自 m = %1 起：%2 + 每样本 %3，误差至多 %4 %。其他通道数的大小占用不同：每条通道都有自己的激活。</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled. Best of the sizes tried: %1</source>
        <translation>已取消。就已尝试的大小而言：%1</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlanPlots</name>
    <message>
        <source>m ≥ %1: does not fit</source>
        <translation>m ≥ %1：放不下</translation>
    </message>
    <message>
        <source>m = %1: does not fit</source>
        <translation>m = %1：放不下</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>micro-batch m</source>
        <translation>微批次 m</translation>
    </message>
    <message>
        <source>peak memory (GB)</source>
        <translation>峰值内存 (GB)</translation>
    </message>
    <message>
        <source>peak memory (MB)</source>
        <translation>峰值内存 (MB)</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>每秒样本数</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>fit a + b m</source>
        <translation>拟合 a + b m</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>%1 sizes measured, from %2 to %3</source>
        <translation>已测量 %1 个大小，从 %2 到 %3</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>上限 %1</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>best %1 at m = %2</source>
        <translation>最快 %1，m = %2</translation>
    </message>
    <message>
        <source>m = %1: cannot be trained</source>
        <translation>m = %1：无法训练</translation>
    </message>
    <message numerus="yes">
        <source>measured, %n lane(s)</source>
        <translation>
            <numerusform>实测，%n 条通道</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>fit of %n lane(s)</source>
        <translation>
            <numerusform>%n 条通道的拟合</numerusform>
        </translation>
    </message>
    <message>
        <source>limit %1 ↑</source>
        <translation>上限 %1 ↑</translation>
    </message>
    <message>
        <source>m = %1 reaches 95 % of the best</source>
        <translation>m = %1 达到最快速度的 95 %</translation>
    </message>
    <message>
        <source>95 % of the best</source>
        <translation>最快速度的 95 %</translation>
    </message>
    <message>
        <source>smallest m with 95 % of it: %1</source>
        <translation>达到其 95 % 的最小 m：%1</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlannerPage</name>
    <message>
        <source>%1 on %2, %3, B = %4</source>
        <translation>%2 上的 %1，%3，B = %4</translation>
    </message>
    <message>
        <source>Sizes are being tried</source>
        <translation>正在尝试各个大小</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>规划(&amp;P)</translation>
    </message>
    <message>
        <source>Tries the sizes that make up the effective batch; training continues meanwhile</source>
        <translation>尝试能组成有效批大小的各个微批次；同时进行的训练不受影响</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>规划器</translation>
    </message>
    <message>
        <source>What is planned</source>
        <translation>规划的对象</translation>
    </message>
    <message>
        <source>Also sizes that do not divide the effective batch: the last micro-batch is smaller</source>
        <translation>也尝试不能整除有效批大小的微批次：最后一个微批次较小</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>各个大小</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Sizes that were tried</source>
        <translation>尝试过的大小</translation>
    </message>
    <message>
        <source>Measuring the first size</source>
        <translation>正在测量第一个大小</translation>
    </message>
    <message>
        <source>Memory and speed appear here, size by size.</source>
        <translation>内存和速度将逐个大小地显示在这里。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>还没有规划</translation>
    </message>
    <message>
        <source>Which micro-batch fits into memory and is fast: peak memory and speed of each size appear here. This set-up has not been measured on this machine.</source>
        <translation>哪个微批次既放得进内存又快：每个大小的峰值内存和速度将显示在这里。此设置尚未在这台计算机上测量过。</translation>
    </message>
    <message>
        <source>No valid batch</source>
        <translation>没有有效的批</translation>
    </message>
    <message>
        <source>The batch of this set-up is not valid, so there is no size to try.</source>
        <translation>此设置的批大小无法成立，因此没有可以尝试的大小。</translation>
    </message>
    <message>
        <source>Change in Set up</source>
        <translation>在“设置”中更改</translation>
    </message>
    <message>
        <source>Change in &amp;Set up</source>
        <translation>在“设置”中更改(&amp;S)</translation>
    </message>
    <message>
        <source>Ra&amp;gged sizes too</source>
        <translation>也包括不整除的大小(&amp;G)</translation>
    </message>
    <message>
        <source>Start the plan</source>
        <translation>开始规划</translation>
    </message>
    <message>
        <source>Cancel the plan</source>
        <translation>取消规划</translation>
    </message>
    <message>
        <source>Memory &amp;limit: none</source>
        <translation>内存上限：无(&amp;L)</translation>
    </message>
    <message>
        <source>Memory &amp;limit: %1</source>
        <translation>内存上限：%1(&amp;L)</translation>
    </message>
    <message>
        <source>Sizes that need more memory than this are ruled out; without a limit, the free memory of the device counts. Opens the setting in Set up</source>
        <translation>需要更多内存的大小不予考虑；没有上限时以设备可用内存为准。在“设置”中打开此项</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlotCanvas</name>
    <message>
        <source>smoothed, %1</source>
        <translation>已平滑，%1</translation>
    </message>
    <message>
        <source>mean over %1 samples</source>
        <translation>%1 个样本的平均</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlotModel</name>
    <message numerus="yes">
        <source>%1; %n curve(s) hidden</source>
        <comment>a sentence about the others</comment>
        <translation>
            <numerusform>%1；已隐藏 %n 条曲线</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: no points yet</source>
        <translation>%1：尚无数据点</translation>
    </message>
    <message>
        <source>%1: 1 curve, last %2</source>
        <translation>%1：1 条曲线，末值 %2</translation>
    </message>
    <message>
        <source>%1: 2 curves, last %2 and %3, difference %4</source>
        <translation>%1：2 条曲线，末值 %2 和 %3，差值 %4</translation>
    </message>
    <message>
        <source>%1: %2 curves, last %3</source>
        <translation>%1：%2 条曲线，末值 %3</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlotOverlay</name>
    <message>
        <source>and %1 more</source>
        <translation>还有 %1 个</translation>
    </message>
    <message>
        <source>raw %1</source>
        <translation>原始 %1</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PlotView</name>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Picture copied</source>
        <translation>图片已复制</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Click an entry to hide or show its curve. Drag to move the legend.</source>
        <translation>点击条目可隐藏或显示其曲线。拖动可移动图例。</translation>
    </message>
    <message>
        <source>Plots: menu</source>
        <translation>图：菜单</translation>
    </message>
    <message>
        <source>Plots: remove crosshair and marker</source>
        <translation>图：移除十字线和标记</translation>
    </message>
    <message>
        <source>Plots: zoom back and forth</source>
        <translation>图：缩放后退与前进</translation>
    </message>
    <message>
        <source>Plots: zoom</source>
        <translation>图：缩放</translation>
    </message>
    <message>
        <source>Plots: another curve</source>
        <translation>图：切换曲线</translation>
    </message>
    <message>
        <source>Plots: move the crosshair; with Shift by ten points</source>
        <translation>图：移动十字线；按住 Shift 每次移动十个点</translation>
    </message>
    <message>
        <source>Plots: show as table</source>
        <translation>图：以表格显示</translation>
    </message>
    <message>
        <source>Plots: guides</source>
        <translation>图：参考线</translation>
    </message>
    <message>
        <source>Plots: show outliers</source>
        <translation>图：显示离群点</translation>
    </message>
    <message>
        <source>Plots: logarithmic x axis</source>
        <translation>图：对数 x 轴</translation>
    </message>
    <message>
        <source>Plots: logarithmic y axis</source>
        <translation>图：对数 y 轴</translation>
    </message>
    <message>
        <source>Plots: fit</source>
        <translation>图：适应数据</translation>
    </message>
    <message>
        <source>G</source>
        <translation>G</translation>
    </message>
    <message>
        <source>Guides</source>
        <translation>参考线</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG 图片 (*.svg)</translation>
    </message>
    <message>
        <source>Save plot</source>
        <translation>保存图</translation>
    </message>
    <message>
        <source>Show all points</source>
        <translation>显示全部点</translation>
    </message>
    <message>
        <source>A logarithmic axis cannot show them. Click for a linear axis.</source>
        <translation>对数轴上无法表示这些值。单击可改用线性轴。</translation>
    </message>
    <message>
        <source>No points yet.</source>
        <translation>尚无数据点。</translation>
    </message>
    <message>
        <source>Fit to the data</source>
        <translation>适应数据</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Zoom back</source>
        <translation>返回上一缩放</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>对数 y 轴</translation>
    </message>
    <message>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>对数 x 轴</translation>
    </message>
    <message>
        <source>Shift+L</source>
        <translation>Shift+L</translation>
    </message>
    <message>
        <source>Show outliers</source>
        <translation>显示离群点</translation>
    </message>
    <message>
        <source>O</source>
        <translation>O</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>显示为表格</translation>
    </message>
    <message>
        <source>T</source>
        <translation>T</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>PNG picture as on the screen (*.png)</source>
        <translation>PNG 图片，与屏幕相同 (*.png)</translation>
    </message>
    <message>
        <source>PNG picture, 3 times the resolution (*.png)</source>
        <translation>PNG 图片，3 倍精细 (*.png)</translation>
    </message>
    <message>
        <source>PNG picture, 4 times the resolution (*.png)</source>
        <translation>PNG 图片，4 倍精细 (*.png)</translation>
    </message>
    <message>
        <source>PDF picture (*.pdf)</source>
        <translation>PDF 图片 (*.pdf)</translation>
    </message>
    <message>
        <source>CSV, all numbers (*.csv)</source>
        <translation>CSV，全部数值 (*.csv)</translation>
    </message>
    <message>
        <source>CSV, numbers of the visible range (*.csv)</source>
        <translation>CSV，可见范围的数值 (*.csv)</translation>
    </message>
    <message>
        <source>Save as PNG, SVG, PDF or CSV…</source>
        <translation>另存为 PNG、SVG、PDF 或 CSV…</translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation>正在保存 %1…</translation>
    </message>
    <message>
        <source>Click to cancel</source>
        <translation>点击可取消</translation>
    </message>
    <message>
        <source>Plots: save as PNG, SVG, PDF or CSV</source>
        <translation>图：另存为 PNG、SVG、PDF 或 CSV</translation>
    </message>
    <message>
        <source>Copying the table</source>
        <translation>正在复制表格</translation>
    </message>
    <message>
        <source>Cancel copying</source>
        <translation>取消复制</translation>
    </message>
    <message numerus="yes">
        <source>%Ln point(s) above</source>
        <translation>
            <numerusform>上方有 %Ln 个点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln point(s) below</source>
        <translation>
            <numerusform>下方有 %Ln 个点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s) ≤ 0 hidden</source>
        <translation>
            <numerusform>隐藏了 %Ln 个 ≤ 0 的值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PresetDialog</name>
    <message>
        <source>No preset is saved yet. Give the form a name and save it; it is listed here.</source>
        <translation>尚未保存任何预设。为表单取名并保存后，会列在这里。</translation>
    </message>
    <message>
        <source>Save the form as</source>
        <translation>将表单保存为</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <source>LeNet-5, 32 × 8</source>
        <translation>LeNet-5，32 × 8</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>The preset “%1” was deleted.</source>
        <translation>预设“%1”已删除。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Save the form under this name</source>
        <translation>以此名称保存表单</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::PresetList</name>
    <message>
        <source>cannot be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>Saved on</source>
        <translation>保存时间</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ProbePanel</name>
    <message>
        <source>Parameter probe</source>
        <translation>参数探针</translation>
    </message>
    <message>
        <source>%1, first elements</source>
        <translation>%1，前几个元素</translation>
    </message>
    <message>
        <source>windows</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>change since window %1</source>
        <translation>自窗口 %1 以来的变化</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>The first values appear after the first window.</source>
        <translation>第一个窗口画出第一级台阶。</translation>
    </message>
    <message>
        <source>element %1</source>
        <translation>元素 %1</translation>
    </message>
    <message>
        <source>Window %1: the parameter changed before the update.</source>
        <translation>窗口 %1：参数在更新之前就变了。</translation>
    </message>
    <message>
        <source>Window %1: the same at all %2 micro-steps and after the update.</source>
        <translation>窗口 %1：在全部 %2 个微步及更新之后都没有变。</translation>
    </message>
    <message>
        <source>Window %1: one micro-step, then the update moved it.</source>
        <translation>窗口 %1：一个微步，随后由参数更新改变。</translation>
    </message>
    <message>
        <source>Window %1: the same bits at all %2 micro-steps; only the update moved them.</source>
        <translation>窗口 %1：在全部 %2 个微步上逐位相同，只有参数更新改变了它们。</translation>
    </message>
    <message>
        <source>%1. After it: %2</source>
        <translation>%1。更新之后：%2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::QueueDock</name>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::QueueModel</name>
    <message>
        <source>%1 and %2 × 1</source>
        <translation>%1 和 %2 × 1</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) that go on</source>
        <translation>
            <numerusform>继续训练的 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>a study that is trained elsewhere</source>
        <translation>在别处训练的研究</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>not before %1</source>
        <translation>不早于 %1</translation>
    </message>
    <message>
        <source>when the queue goes on</source>
        <translation>队列继续时</translation>
    </message>
    <message>
        <source>next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Added %1</source>
        <translation>添加于 %1</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>m × K</source>
        <translation>m × K</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>could not begin</source>
        <translation>未能开始</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::QueuePanel</name>
    <message>
        <source>Waiting studies</source>
        <translation>等待中的研究</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Earlier in the queue (Alt+Up)</source>
        <translation>在队列中提前（Alt+Up）</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Later in the queue (Alt+Down)</source>
        <translation>在队列中推后（Alt+Down）</translation>
    </message>
    <message>
        <source>Run next</source>
        <translation>下一个运行</translation>
    </message>
    <message>
        <source>To the front of the queue (Alt+Home)</source>
        <translation>移到队列最前（Alt+Home）</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Out of the queue; Undo brings it back (Delete)</source>
        <translation>移出队列；可用撤销恢复（Delete）</translation>
    </message>
    <message>
        <source>Not before</source>
        <translation>不早于</translation>
    </message>
    <message>
        <source>Starts at this time or later, while Accumulus is open. Until then the studies behind it may go first.</source>
        <translation>在 Accumulus 打开时，于此时间或之后开始。在此之前，排在后面的研究可以先运行。</translation>
    </message>
    <message>
        <source>Start time</source>
        <translation>开始时间</translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait in another window; you can only view them here.</source>
        <translation>
            <numerusform>另一个窗口中有 %n 项研究在等待；这里只能查看。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is waiting. This library cannot be changed here.</source>
        <translation>没有等待的研究。此处不能更改这个库。</translation>
    </message>
    <message>
        <source>Nothing is waiting. A study started while another one trains waits here for its turn.</source>
        <translation>没有等待的研究。在另一项研究训练时启动的研究会在这里等待。</translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait. After the one that trains now, the queue pauses.</source>
        <translation>
            <numerusform>%n 项研究在等待。当前研究结束后，队列暂停。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait. The queue is paused.</source>
        <translation>
            <numerusform>%n 项研究在等待。队列已暂停。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait for the one that trains now.</source>
        <translation>
            <numerusform>%n 项研究在等待当前训练结束。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) wait for their time.</source>
        <translation>
            <numerusform>%n 项研究在等待各自的开始时间。</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue the queue</source>
        <translation>继续队列</translation>
    </message>
    <message>
        <source>Pause after this study</source>
        <translation>此研究结束后暂停</translation>
    </message>
    <message>
        <source>Pause the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>Move in the queue</source>
        <translation>在队列中移动</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>移出队列</translation>
    </message>
    <message>
        <source>“%1” was removed from the queue.</source>
        <translation>“%1”已移出队列。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>%1 is in the past. The study keeps its time.</source>
        <translation>%1 已过。研究的开始时间不变。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>It could not begin; this gives it another turn</source>
        <translation>它未能开始；再次轮到它</translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) could not begin. Try them again, or remove them.</source>
        <translation>
            <numerusform>%n 项研究未能开始。请重试或移除。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RankLine</name>
    <message>
        <source>%1 ms  ·  %2 %</source>
        <translation>%1 毫秒  ·  %2 %</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>reducing</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>sent per update</source>
        <translation>每次更新发送</translation>
    </message>
    <message>
        <source>rank %1: computing %2, waiting %3, reducing %4, sent %5</source>
        <translation>rank %1：计算 %2，等待 %3，归约 %4，发送 %5</translation>
    </message>
    <message>
        <source>Per window, mean of the newest %1.</source>
        <translation>按窗口计，最新 %1 个窗口的平均。</translation>
    </message>
    <message>
        <source>Computing is summed over the lanes of a rank.</source>
        <translation>计算时间是一个 rank 各通道之和。</translation>
    </message>
    <message>
        <source>The others wait for the slowest rank, which waits least.</source>
        <translation>其他 rank 等待最慢的 rank，因此它等待得最少。</translation>
    </message>
    <message>
        <source>Formula: f = (R − 1) / R for R ranks, P parameters of S bytes, sums of A bytes, K micro-steps per rank.</source>
        <translation>公式：R 个 rank，f = (R − 1) / R；P 个参数，每个 S 字节；累加值每个 A 字节；每个 rank K 个微步。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>arm, what its ranks cost</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RecentLibraries</name>
    <message>
        <source>Open re&amp;cent</source>
        <translation>打开最近的库(&amp;C)</translation>
    </message>
    <message>
        <source>%1 (open now)</source>
        <translation>%1（当前已打开）</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>%1 (not found)</source>
        <translation>%1（未找到）</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::ReportsPage</name>
    <message>
        <source>Preview of the report</source>
        <translation>报告预览</translation>
    </message>
    <message>
        <source>Nothing to report yet</source>
        <translation>尚无可报告的内容</translation>
    </message>
    <message>
        <source>Runs that have ended and pairs of arms appear here, each with a preview of its report.</source>
        <translation>已结束的运行和成对的两组显示在这里，每项都有报告预览。</translation>
    </message>
    <message>
        <source>Set up a run</source>
        <translation>设置一次运行</translation>
    </message>
    <message>
        <source>Save as &amp;PDF…</source>
        <translation>保存为 &amp;PDF…</translation>
    </message>
    <message>
        <source>Save as &amp;Markdown…</source>
        <translation>保存为 &amp;Markdown…</translation>
    </message>
    <message>
        <source>One file with all figures; opens in any browser, also offline</source>
        <translation>含全部图的单个文件，可用任意浏览器打开，无需网络</translation>
    </message>
    <message>
        <source>Pages as in the preview; figures as vectors, text selectable</source>
        <translation>页面与预览一致；图为矢量，文字可选取</translation>
    </message>
    <message>
        <source>Text for a repository or a notebook, figures in a folder beside it</source>
        <translation>用于代码仓库或笔记的文本，图放在旁边的文件夹中</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>HTML (*.html)</source>
        <translation>HTML (*.html)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>What to report</source>
        <translation>报告内容</translation>
    </message>
    <message>
        <source>Comparisons</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Single runs</source>
        <translation>单次运行</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the list</source>
        <translation>筛选列表</translation>
    </message>
    <message>
        <source>Report on</source>
        <translation>报告对象</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Chosen runs: %1 against %2</source>
        <translation>选定的运行：%1 对 %2</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <source>Save as HTM&amp;L…</source>
        <translation>保存为 HTM&amp;L…</translation>
    </message>
    <message>
        <source>Audits</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Language of the report</source>
        <translation>报告的语言</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of chosen runs</source>
        <translation>
            <numerusform>所选运行的 %n 个组</numerusform>
        </translation>
    </message>
    <message>
        <source>Saving %1…</source>
        <translation>正在保存 %1…</translation>
    </message>
    <message>
        <source>Report as HTML…</source>
        <translation>报告存为 HTML…</translation>
    </message>
    <message>
        <source>Report as PDF…</source>
        <translation>报告存为 PDF…</translation>
    </message>
    <message>
        <source>Report as Markdown…</source>
        <translation>报告存为 Markdown…</translation>
    </message>
    <message>
        <source>The library has none of these yet.</source>
        <translation>库中还没有这一类内容。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunExports</name>
    <message>
        <source>Export run</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>替换文件</translation>
    </message>
    <message>
        <source>The folder already has files with these names. Replace them?</source>
        <translation>该文件夹中已有同名文件。要替换它们吗？</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message numerus="yes">
        <source>Folder for %n file(s)</source>
        <translation>
            <numerusform>%n 个文件的文件夹</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunImports</name>
    <message>
        <source>Import runs</source>
        <translation>导入运行</translation>
    </message>
    <message>
        <source>Libraries, CSV, JSON and TensorBoard&apos;s files (*.sqlite *.csv *.json *tfevents*);;All files (*)</source>
        <translation>库、CSV、JSON 和 TensorBoard 文件 (*.sqlite *.csv *.json *tfevents*);;所有文件 (*)</translation>
    </message>
    <message numerus="yes">
        <source>Importing %n file(s)…</source>
        <translation>
            <numerusform>正在导入 %n 个文件…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The runs of %n file(s) will be added to the library. Runs that are in it already stay as they are.</source>
        <translation>
            <numerusform>%n 个文件中的运行将加入库中。库中已有的运行保持不变。</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunInspector</name>
    <message>
        <source>Details of the selected run</source>
        <translation>所选运行的详情</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Skipped updates, memory that ran out, stops and other things that happened are listed here.</source>
        <translation>跳过的更新、内存不足、停止以及发生的其他事情会列在这里。</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>paper, baseline</source>
        <translation>论文, 基线</translation>
    </message>
    <message>
        <source>What was this run for? What did it show?</source>
        <translation>这次运行是为了什么？它说明了什么？</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Tags, separated by commas</source>
        <translation>标签，以英文逗号分隔</translation>
    </message>
    <message numerus="yes">
        <source>%n runs are selected.</source>
        <translation>
            <numerusform>已选择 %n 个运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a run to see its settings, checkpoints, events and notes.</source>
        <translation>选择一个运行以查看其设置、检查点、事件和备注。</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Arm</source>
        <translation>组别</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Micro-steps</source>
        <translation>微步</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Active time</source>
        <translation>净训练时间</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>结束时间</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Weights hash</source>
        <translation>权重哈希</translation>
    </message>
    <message>
        <source>Run id</source>
        <translation>运行 ID</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Threads per lane</source>
        <translation>每通道线程数</translation>
    </message>
    <message>
        <source>Training samples</source>
        <translation>训练样本</translation>
    </message>
    <message>
        <source>Data checksum</source>
        <translation>数据校验和</translation>
    </message>
    <message>
        <source>Configuration hash</source>
        <translation>配置哈希</translation>
    </message>
    <message>
        <source>Pair hash</source>
        <translation>配对哈希</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Peak memory, evaluations</source>
        <translation>峰值内存（评估）</translation>
    </message>
    <message>
        <source>Peak memory, first rank</source>
        <translation>峰值内存（首个 rank）</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Lanes per rank</source>
        <translation>每个 rank 的通道数</translation>
    </message>
    <message>
        <source>Noise scale</source>
        <translation>噪声尺度</translation>
    </message>
    <message>
        <source>Audit: %1</source>
        <translation>审计：%1</translation>
    </message>
    <message>
        <source>Hash of the model&apos;s file</source>
        <translation>模型文件的哈希</translation>
    </message>
    <message>
        <source>Hash of the initial weights&apos; file</source>
        <translation>初始权重文件的哈希</translation>
    </message>
    <message>
        <source>GPU driver</source>
        <translation>GPU 驱动</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunListModel</name>
    <message>
        <source>Micro-batch m: samples of one forward and backward pass</source>
        <translation>微批次 m：一次前向和反向传播的样本数</translation>
    </message>
    <message>
        <source>Accumulation steps K: micro-batches behind one update</source>
        <translation>累积步数 K：一次参数更新所用的微批次数</translation>
    </message>
    <message>
        <source>Effective batch B: samples per update</source>
        <translation>有效批大小 B：每次参数更新的样本数</translation>
    </message>
    <message>
        <source>Time spent training: no set-up, evaluation, checkpoint or pause</source>
        <translation>训练所用的时间：不含准备、评估、检查点和暂停</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Arm</source>
        <translation>组别</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>m</source>
        <translation>m</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Best accuracy</source>
        <translation>最佳准确率</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Active time</source>
        <translation>净训练时间</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Is its gradient that of the large batch? The newest audit of the run or of its set-up</source>
        <translation>它的梯度是大批量的梯度吗？取该运行或其设置的最新审计</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>What the loss is judged by, at the last evaluation: accuracy, RMSE, MAE or the loss itself</source>
        <translation>最后一次评估时该损失对应的主要指标：准确率、RMSE、MAE 或损失本身</translation>
    </message>
    <message>
        <source>Final metric</source>
        <translation>最终指标</translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n 个随机种子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n run(s)</source>
        <translation>
            <numerusform>%1 · %n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 completed</source>
        <translation>%2 个中 %1 个已完成</translation>
    </message>
    <message>
        <source>several</source>
        <translation>多个</translation>
    </message>
    <message>
        <source>These runs have different configurations, so a mean over all of them would be meaningless.</source>
        <translation>这些运行的配置不止一种：对它们求平均没有意义。</translation>
    </message>
    <message numerus="yes">
        <source>Mean ± standard deviation over %n completed run(s)</source>
        <translation>
            <numerusform>%n 个已完成运行的平均值 ± 标准差</numerusform>
        </translation>
    </message>
    <message>
        <source>Loss at the last evaluation</source>
        <translation>最后一次评估的损失</translation>
    </message>
    <message>
        <source>Lowest loss of all evaluations: on the validation samples where there are some, else on the test samples</source>
        <translation>所有评估中的最低损失：有验证样本时取验证样本，否则取测试样本</translation>
    </message>
    <message>
        <source>Size of all checkpoint files of the run</source>
        <translation>该运行全部检查点文件的大小</translation>
    </message>
    <message>
        <source>Days until the run is deleted for good</source>
        <translation>距永久删除的天数</translation>
    </message>
    <message>
        <source>Final loss</source>
        <translation>最终损失</translation>
    </message>
    <message>
        <source>Lowest loss</source>
        <translation>最低损失</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Days left</source>
        <translation>剩余天数</translation>
    </message>
    <message>
        <source>%1, %2: %3 than the baseline</source>
        <translation>%1，%2：与基线相比%3</translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message>
        <source>Peak memory, evaluations</source>
        <translation>峰值内存（评估）</translation>
    </message>
    <message>
        <source>Most tensor memory in use while it trained, without evaluations</source>
        <translation>训练期间张量占用内存的最大值，不含评估</translation>
    </message>
    <message>
        <source>Most tensor memory in use during an evaluation</source>
        <translation>评估期间张量占用内存的最大值</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>Best validation accuracy</source>
        <translation>最佳验证准确率</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Do both arms of the run&apos;s study end with equivalent results? The verdict over its seeds, as on Compare</source>
        <translation>该研究的两组结果是否一致？根据其各种子得出的结论，与对比页相同</translation>
    </message>
    <message>
        <source>Accuracy on the validation samples at the last evaluation</source>
        <translation>最后一次评估时在验证样本上的准确率</translation>
    </message>
    <message>
        <source>Highest accuracy of all evaluations on the validation samples</source>
        <translation>所有评估中在验证样本上的最高准确率</translation>
    </message>
    <message>
        <source>Loss on the validation samples at the last evaluation</source>
        <translation>最后一次评估时在验证样本上的损失</translation>
    </message>
    <message>
        <source>The set-up was audited, at the initial weights of one seed: what it found is about the settings that these runs share, not about what a run has learned.</source>
        <translation>审计的是设置，在一个随机种子的初始权重上：结论针对这些运行共有的设置，而不是某次运行学到的内容。</translation>
    </message>
    <message>
        <source>Weights of this run were audited: their accumulated gradient beside that of the large batch.</source>
        <translation>审计的是本运行的权重：将其累积梯度与大批量的梯度相比较。</translation>
    </message>
    <message>
        <source>%1, the baseline on top</source>
        <translation>%1，基线置顶</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunNarrator</name>
    <message numerus="yes">
        <source>%n run(s) of a study go on.</source>
        <translation>
            <numerusform>一项研究的 %n 次运行继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>Library opened, read-only: %1</source>
        <translation>已打开库（只读）：%1</translation>
    </message>
    <message>
        <source>Library opened: %1</source>
        <translation>已打开库：%1</translation>
    </message>
    <message numerus="yes">
        <source>The study “%1” begins: %n run(s).</source>
        <translation>
            <numerusform>研究“%1”开始：%n 次运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: goes on after update %2.</source>
        <translation>%1：从第 %2 次参数更新之后继续。</translation>
    </message>
    <message>
        <source>%1: begins.</source>
        <translation>%1：开始。</translation>
    </message>
    <message numerus="yes">
        <source>%n update(s)</source>
        <translation>
            <numerusform>%n 次参数更新</numerusform>
        </translation>
    </message>
    <message>
        <source>training samples: %1</source>
        <translation>训练样本：%1</translation>
    </message>
    <message>
        <source>device %1, lanes %2, threads per lane %3</source>
        <translation>设备 %1，通道 %2，每通道线程 %3</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>accuracy %1</source>
        <translation>准确率 %1</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>用时 %1</translation>
    </message>
    <message>
        <source>peak memory %1</source>
        <translation>峰值内存 %1</translation>
    </message>
    <message>
        <source>%1: evaluated (%2) after update %3: %4.</source>
        <translation>%1：第 %3 次参数更新后评估（%2）：%4。</translation>
    </message>
    <message>
        <source>%1: checkpoint (%2) after update %3, %4: %5</source>
        <translation>%1：第 %3 次参数更新后的检查点（%2），%4：%5</translation>
    </message>
    <message>
        <source>%1: paused.</source>
        <translation>%1：已暂停。</translation>
    </message>
    <message>
        <source>%1: trains.</source>
        <translation>%1：训练中。</translation>
    </message>
    <message>
        <source>updates: %1</source>
        <translation>参数更新：%1</translation>
    </message>
    <message>
        <source>active time %1</source>
        <translation>净训练时间 %1</translation>
    </message>
    <message>
        <source>peak memory of training %1</source>
        <translation>训练的峰值内存 %1</translation>
    </message>
    <message>
        <source>of evaluations %1</source>
        <translation>评估的峰值内存 %1</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunQuery</name>
    <message>
        <source>The closing quotation mark is missing.</source>
        <translation>缺少右引号。</translation>
    </message>
    <message>
        <source>Write != for “not equal”, or NOT before a term.</source>
        <translation>“不等于”请写 !=，或在条件前加 NOT。</translation>
    </message>
    <message>
        <source>There is no open parenthesis before this one.</source>
        <translation>此括号之前没有左括号。</translation>
    </message>
    <message>
        <source>This parenthesis is not closed.</source>
        <translation>此括号没有闭合。</translation>
    </message>
    <message>
        <source>A word is missing at the end.</source>
        <translation>末尾缺少一个词。</translation>
    </message>
    <message>
        <source>A word is missing before “%1”.</source>
        <translation>“%1”之前缺少一个词。</translation>
    </message>
    <message>
        <source>“%1” is not a filter key. Known keys: %2. Put free text with such signs in quotes.</source>
        <translation>没有可供筛选的“%1”。可用：%2。含有此类符号的文本请放在引号中。</translation>
    </message>
    <message>
        <source>A value is missing after “%1”.</source>
        <translation>“%1”之后缺少值。</translation>
    </message>
    <message>
        <source>After has:, write checkpoint, tag, note, error or accuracy.</source>
        <translation>has: 之后应为 checkpoint、tag、note、error 或 accuracy。</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>“%1”不是数字。</translation>
    </message>
    <message>
        <source>“%1” is not a date of the form 2026-11-21.</source>
        <translation>“%1”不是 2026-11-21 形式的日期。</translation>
    </message>
    <message>
        <source>After “%1”, write :, = or !=.</source>
        <translation>“%1”之后请写 :、= 或 !=。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunStates</name>
    <message>
        <source>%1 %2</source>
        <comment>number of runs, their state</comment>
        <translation>%1 次%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>runs of two states</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunTable</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Reset columns</source>
        <translation>重置列</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Keep in sight up to here</source>
        <translation>冻结至此列</translation>
    </message>
    <message>
        <source>Let all columns scroll</source>
        <translation>取消冻结</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>升序排序</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>降序排序</translation>
    </message>
    <message>
        <source>Sort by this as well</source>
        <translation>同时按此列排序</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>左移</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>右移</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::RunsEditor</name>
    <message>
        <source>Tags and notes of the selected runs</source>
        <translation>所选运行的标签和备注</translation>
    </message>
    <message>
        <source>paper, first try</source>
        <translation>论文, 首次尝试</translation>
    </message>
    <message>
        <source>Tags of all of them</source>
        <translation>全部运行共有的标签</translation>
    </message>
    <message>
        <source>Notes of all of them (Markdown)</source>
        <translation>全部运行的备注（Markdown）</translation>
    </message>
    <message>
        <source>Apply to all</source>
        <translation>应用到全部</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message numerus="yes">
        <source>%n runs are selected.</source>
        <translation>
            <numerusform>已选择 %n 个运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Of some of them: %1</source>
        <translation>部分运行的标签：%1</translation>
    </message>
    <message>
        <source>Their notes differ. What you write here takes their place.</source>
        <translation>它们的备注不同。在此填写的内容将取代它们。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SampleStrip</name>
    <message numerus="yes">
        <source>The first %n sample(s)</source>
        <translation>
            <numerusform>前 %n 个样本</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SavedComparisonModel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等另 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <comment>numbers of runs</comment>
        <translation>%1 对 %2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Judged by</source>
        <translation>判定指标</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>等价界限</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Saved on</source>
        <translation>保存时间</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SavedList</name>
    <message>
        <source>Saved comparisons</source>
        <translation>已保存的对比</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Shows the selected comparison as it was saved (Enter)</source>
        <translation>按保存时的样子显示选中的对比（Enter）</translation>
    </message>
    <message>
        <source>Changes the name of the selected comparison (F2)</source>
        <translation>更改选中对比的名称（F2）</translation>
    </message>
    <message>
        <source>Deletes the selected comparison, not its runs (Del)</source>
        <translation>删除选中的对比，不删除其运行（Del）</translation>
    </message>
    <message>
        <source>No comparison is saved yet. “Save” keeps the groups, the metric, the margin and when it was set, the x axis and the band.</source>
        <translation>尚未保存任何对比。“保存”会留存当前的对比：各组、指标、界限及其设定时间、x 轴和带状区间。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SettingRunModel</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SettingsCard</name>
    <message>
        <source>Settings and metric</source>
        <translation>设置与指标</translation>
    </message>
    <message>
        <source>Scatter plot</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>Each run as a point: the metric against one setting</source>
        <translation>每次运行为一个点：指标与一项设置的关系</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Each run as a line over all settings that differ, ending at the metric</source>
        <translation>每次运行为一条线，经过所有不同的设置，止于指标</translation>
    </message>
    <message>
        <source>Setti&amp;ng</source>
        <translation>设置(&amp;N)</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message numerus="yes">
        <source>%n completed run(s) without a finite value of the metric are left out.</source>
        <translation>
            <numerusform>略过 %n 次已完成但指标值非有限或缺失的运行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n run(s) this setting does not matter; they are left out.</source>
        <translation>
            <numerusform>此设置对 %n 次运行不起作用，已略过。</numerusform>
        </translation>
    </message>
    <message>
        <source>Each line is a run. It is broken where a setting does not matter.</source>
        <translation>每条线为一次运行；在设置不起作用处断开。</translation>
    </message>
    <message numerus="yes">
        <source>%n more setting(s) differ; the table has them.</source>
        <translation>
            <numerusform>另有 %n 项设置不同，见表格。</numerusform>
        </translation>
    </message>
    <message>
        <source>Arrow keys go from run to run, T shows all of them as a table.</source>
        <translation>方向键逐个切换运行，T 键以表格显示全部运行。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SettingsFigure</name>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，随机种子 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n run(s), mean %2</source>
        <translation>
            <numerusform>%1：%n 次运行，均值 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Settings and metric: %1</source>
        <translation>设置与指标：%1</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <comment>metric, setting</comment>
        <translation>%1 对 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>letter of a group, its title</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Needs at least two completed runs.</source>
        <translation>至少需要两次已完成的运行。</translation>
    </message>
    <message>
        <source>All runs have the same settings.</source>
        <translation>所有运行的设置都相同。</translation>
    </message>
    <message>
        <source>Axes: %1</source>
        <translation>轴：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in a colour of their own</source>
        <translation>
            <numerusform>%n 个运行使用自己的颜色</numerusform>
        </translation>
    </message>
    <message>
        <source>in a colour of its own</source>
        <translation>使用自己的颜色</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SettingsPicture</name>
    <message>
        <source>mean of a group</source>
        <translation>组内均值</translation>
    </message>
    <message>
        <source>runs in colours of their own</source>
        <translation>使用自己颜色的运行</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SetupPage</name>
    <message>
        <source>%1 and others</source>
        <translation>%1 等</translation>
    </message>
    <message>
        <source>Save experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>experiment.toml</source>
        <translation>experiment.toml</translation>
    </message>
    <message>
        <source>Experiment files (*.toml)</source>
        <translation>实验文件 (*.toml)</translation>
    </message>
    <message>
        <source>Load experiment</source>
        <translation>载入实验</translation>
    </message>
    <message>
        <source>Experiment files (*.toml);;All files (*)</source>
        <translation>实验文件 (*.toml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Command copied.</source>
        <translation>命令已复制。</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Loaded %1.</source>
        <translation>已载入 %1。</translation>
    </message>
    <message>
        <source>Open library</source>
        <translation>打开库</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Choose a library</source>
        <translation>选择库</translation>
    </message>
    <message>
        <source>Accumulus libraries (*.sqlite *.db);;All files (*)</source>
        <translation>Accumulus 库 (*.sqlite *.db);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Restored from your last session.</source>
        <translation>已恢复上次会话的内容。</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Presets…</source>
        <translation>预设…</translation>
    </message>
    <message>
        <source>Save experiment…</source>
        <translation>保存实验…</translation>
    </message>
    <message>
        <source>Load experiment…</source>
        <translation>载入实验…</translation>
    </message>
    <message>
        <source>Audit this set-up</source>
        <translation>审计此设置</translation>
    </message>
    <message>
        <source>Plan micro-batch</source>
        <translation>规划微批次</translation>
    </message>
    <message>
        <source>%1 Nothing was changed.</source>
        <translation>%1 未作任何更改。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SetupSection</name>
    <message>
        <source>Reset section %1</source>
        <translation>重置“%1”一节</translation>
    </message>
    <message>
        <source>More · %1 changed</source>
        <translation>更多 · 已更改 %1 项</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More settings of %1</source>
        <translation>“%1”的更多设置</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>Restores the values that this section started with (can be undone). %1</source>
        <translation>此部分恢复为最初的值（可撤销）。%1</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SetupSummary</name>
    <message>
        <source>%1 × %2 = %3</source>
        <translation>%1 × %2 = %3</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Use generated data</source>
        <translation>使用生成的数据</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>The same runs for accumulus-cli</source>
        <translation>可用 accumulus-cli 进行的相同运行</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Save experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Save this set-up as an experiment file (TOML)</source>
        <translation>将此设置保存为实验文件（TOML）</translation>
    </message>
    <message>
        <source>Load…</source>
        <translation>载入…</translation>
    </message>
    <message>
        <source>Load experiment</source>
        <translation>载入实验</translation>
    </message>
    <message>
        <source>Fill the form from an experiment file (TOML)</source>
        <translation>由实验文件（TOML）填写表单</translation>
    </message>
    <message>
        <source>%1 per run</source>
        <translation>每次运行 %1</translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 training, %2 test</source>
        <translation>训练 %1，测试 %2</translation>
    </message>
    <message>
        <source>F5</source>
        <translation>F5</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>No problems found.</source>
        <translation>未发现问题。</translation>
    </message>
    <message>
        <source>Audit this set-up</source>
        <translation>审计此设置</translation>
    </message>
    <message>
        <source>Does its accumulated gradient equal the large batch&apos;s? Find out before you start.</source>
        <translation>它累积的梯度是大批量的梯度吗？在开始之前就能知道。</translation>
    </message>
    <message>
        <source>Plan micro-batch</source>
        <translation>规划微批次</translation>
    </message>
    <message>
        <source>Measures which micro-batch fits and is fast, on the page Planner</source>
        <translation>在“规划器”页上测量哪个微批次放得下而且快</translation>
    </message>
    <message>
        <source>%1, about %2</source>
        <translation>%1，约 %2</translation>
    </message>
    <message>
        <source>Locate the data</source>
        <translation>查找数据</translation>
    </message>
    <message>
        <source>cannot be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>Training time by the plan of the micro-batch</source>
        <translation>训练时间来自微批次的规划</translation>
    </message>
    <message>
        <source>Training time at the speed of earlier runs with the same settings</source>
        <translation>训练时间按相同设置的以往运行的速度估算</translation>
    </message>
    <message numerus="yes">
        <source>%Ln arm(s)</source>
        <translation>
            <numerusform>%Ln 个组</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln seed(s)</source>
        <translation>
            <numerusform>%Ln 个种子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Puts it in the queue, even while nothing trains (Ctrl+F5)</source>
        <translation>即使当前没有训练，也在队列中等待（Ctrl+F5）</translation>
    </message>
    <message>
        <source>Number of runs: %1</source>
        <translation>运行数：%1</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>界限</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SetupTime</name>
    <message>
        <source>Time: not known yet. Plan micro-batch measures it.</source>
        <translation>时间：尚不清楚。“规划微批次”会测量它。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SetupView</name>
    <message>
        <source>updates per epoch: known once the data set is found</source>
        <translation>每轮参数更新次数：找到数据集后可知</translation>
    </message>
    <message>
        <source>%1, all of them full</source>
        <translation>%1，窗口全部填满</translation>
    </message>
    <message>
        <source>%1, last window %2 samples</source>
        <translation>%1，最后一个窗口 %2 个样本</translation>
    </message>
    <message>
        <source>%1, last %2 samples dropped</source>
        <translation>%1，舍弃最后 %2 个样本</translation>
    </message>
    <message>
        <source>%1, last %2 samples carried over</source>
        <translation>%1，最后 %2 个样本结转</translation>
    </message>
    <message>
        <source>%1, last %2 samples leak into the next epoch</source>
        <translation>%1，最后 %2 个样本泄漏到下一轮</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>These numbers do not form a valid batch yet.</source>
        <translation>这些数字还不能组成一个批次。</translation>
    </message>
    <message>
        <source>from update %1 on</source>
        <translation>从第 %1 次更新起</translation>
    </message>
    <message>
        <source>Presets…</source>
        <translation>预设…</translation>
    </message>
    <message>
        <source>Save the form under a name, load, rename or delete what was saved</source>
        <translation>以名称保存表单，载入、重命名或删除已保存的内容</translation>
    </message>
    <message numerus="yes">
        <source>%Ln update(s) per epoch</source>
        <translation>
            <numerusform>每轮 %Ln 次参数更新</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln update(s) in the first epoch</source>
        <translation>
            <numerusform>第一轮 %Ln 次参数更新</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::SmoothingChoice</name>
    <message>
        <source>Smooth&amp;ing</source>
        <translation>平滑(&amp;I)</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Over all points; the raw curve stays behind</source>
        <translation>对所有点平滑；原始曲线保留在后面</translation>
    </message>
    <message>
        <source>Kind of smoothing</source>
        <translation>平滑方式</translation>
    </message>
    <message>
        <source>Average of the past: exponential, debiased. Centred mean: of the windows before and after each point</source>
        <translation>历史平均：指数加权，已去偏。中心平均：每个点前后的累积窗口</translation>
    </message>
    <message>
        <source>Average of the past</source>
        <translation>历史平均</translation>
    </message>
    <message>
        <source>Centred mean</source>
        <translation>中心平均</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 个样本</translation>
    </message>
    <message numerus="yes">
        <source>%n window(s)</source>
        <translation>
            <numerusform>%n 个累积窗口</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::StallWatch</name>
    <message>
        <source>The window did not answer for %1 ms (%2).</source>
        <translation>窗口有 %1 毫秒没有响应（%2）。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::StatusLine</name>
    <message>
        <source>Run state</source>
        <translation>运行状态</translation>
    </message>
    <message>
        <source>Counters of the run</source>
        <translation>运行计数</translation>
    </message>
    <message>
        <source>Progress of the study</source>
        <translation>研究的进度</translation>
    </message>
    <message>
        <source>Remaining time</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Waiting studies</source>
        <translation>等待中的研究</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>%1, run %2 of %3</source>
        <translation>%1，运行 %2 / %3</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>estimating…</source>
        <translation>正在估计…</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 to %2 left</source>
        <translation>剩余 %1 至 %2</translation>
    </message>
    <message>
        <source>No library</source>
        <translation>未打开库</translation>
    </message>
    <message>
        <source>Library is read-only</source>
        <translation>库为只读</translation>
    </message>
    <message>
        <source>saved %1 ago</source>
        <translation>%1前已保存</translation>
    </message>
    <message>
        <source>Updates %1 · Micro-steps %2 · Samples %3</source>
        <translation>参数更新 %1 · 微步 %2 · 样本 %3</translation>
    </message>
    <message>
        <source>%1/%2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Queue: %1</source>
        <translation>队列：%1</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>显示队列</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Queue: %1, paused</source>
        <translation>队列：%1，已暂停</translation>
    </message>
    <message>
        <source>Memory %1 of %2</source>
        <translation>内存 %1 / %2</translation>
    </message>
    <message>
        <source>Used by all programs of this computer. Tensors of this training: at most %1.</source>
        <translation>本机所有程序占用的内存。本次训练的张量：最多 %1。</translation>
    </message>
    <message>
        <source>Used by all programs of this computer.</source>
        <translation>本机所有程序占用的内存。</translation>
    </message>
    <message>
        <source> · GPU %1 of %2</source>
        <translation> · GPU %1 / %2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::TimeParts</name>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>adding up</source>
        <translation>累加</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>reducing</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>update</source>
        <translation>更新</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::TimeSplit</name>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>时间的去向</translation>
    </message>
    <message>
        <source>whole window</source>
        <translation>整个窗口</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Gathering, normalising and augmenting the samples of a micro-batch</source>
        <translation>取出、归一化并增强一个微批次的样本</translation>
    </message>
    <message>
        <source>Adding the gradient of each micro-batch to the window&apos;s, in order</source>
        <translation>按顺序把每个微批次的梯度加到窗口的梯度上</translation>
    </message>
    <message>
        <source>Dividing, clipping and the optimizer, once per window</source>
        <translation>求平均、裁剪和优化器，每个窗口一次</translation>
    </message>
    <message>
        <source>Factor of the loss under fp16, newest window</source>
        <translation>fp16 下损失所乘的系数，取自最新的窗口</translation>
    </message>
    <message>
        <source>Measured from the first update on.</source>
        <translation>从第一次参数更新起测量。</translation>
    </message>
    <message>
        <source>%1 The parts are summed over up to %2 lanes, which work at the same time: together they may exceed the window.</source>
        <translation>%1 各部分是最多 %2 条通道之和，通道同时工作，因此合计可能超过整个窗口。</translation>
    </message>
    <message>
        <source>s</source>
        <comment>seconds</comment>
        <translation>秒</translation>
    </message>
    <message>
        <source>Waiting until slower ranks catch up</source>
        <translation>直到较慢的 rank 赶上</translation>
    </message>
    <message>
        <source>Exchanging gradients and weights with the other ranks</source>
        <translation>与其他 rank 交换梯度和权重</translation>
    </message>
    <message>
        <source>%1 Bars and table show rank 0 of %2.</source>
        <translation>%1 条形和表格显示 %2 个 rank 中的 rank 0。</translation>
    </message>
    <message>
        <source>peak memory, training</source>
        <translation>峰值内存（训练）</translation>
    </message>
    <message>
        <source>peak memory, evaluations</source>
        <translation>峰值内存（评估）</translation>
    </message>
    <message>
        <source>Highest use by tensors so far, without evaluations</source>
        <translation>迄今张量占用的最大值，不含评估</translation>
    </message>
    <message>
        <source>Highest use by tensors during an evaluation</source>
        <translation>评估期间张量占用的最大值</translation>
    </message>
    <message numerus="yes">
        <source>Mean of the newest %n window(s).</source>
        <translation>
            <numerusform>最近 %n 个累积窗口的平均值。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::VerdictCard</name>
    <message>
        <source>Use the margin set before</source>
        <translation>使用之前设定的界限</translation>
    </message>
    <message>
        <source>Add 3 seeds</source>
        <translation>追加 3 个种子</translation>
    </message>
    <message>
        <source>Equivalence margin</source>
        <translation>等价界限</translation>
    </message>
    <message>
        <source>The largest difference that you would still call equal. Fix it before the runs.</source>
        <translation>差异多大仍可视为没有差异。请在运行之前确定。</translation>
    </message>
    <message>
        <source>Queues both arms with the next three seeds and the same margin</source>
        <translation>以接下来的三个种子和相同的界限将两组加入队列</translation>
    </message>
    <message>
        <source>&amp;Margin</source>
        <translation>界限(&amp;M)</translation>
    </message>
    <message>
        <source>90 % interval of the difference against the margin</source>
        <translation>差值的 90 % 区间与等价界限</translation>
    </message>
    <message>
        <source>No margin was fixed before the runs: this one was chosen after the results were seen.</source>
        <translation>运行之前没有确定界限：此界限是在看到结果之后选定的。</translation>
    </message>
    <message>
        <source>Margin changed after the results were seen (%1).</source>
        <translation>看到结果之后更改了界限（%1）。</translation>
    </message>
    <message>
        <source>The program&apos;s default margin; no run has finished yet.</source>
        <translation>程序的默认界限；尚无运行完成。</translation>
    </message>
    <message>
        <source>Margin fixed on %1, before the first result.</source>
        <translation>界限于 %1 确定，早于第一个结果。</translation>
    </message>
    <message>
        <source>The study fixed no margin for this metric: its default counts. The metric was chosen after the results were seen.</source>
        <translation>研究没有为该指标设定界限，采用其默认值。该指标是在看到结果之后选定的。</translation>
    </message>
    <message>
        <source>The margin stands as it was fixed on %1; the metric was chosen after the results were seen.</source>
        <translation>界限仍为 %1 设定的值；指标是在看到结果之后选定的。</translation>
    </message>
    <message>
        <source>Copy or save this card</source>
        <translation>复制或保存此卡片</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG picture (*.svg)</source>
        <translation>SVG 图片 (*.svg)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>Save the verdict</source>
        <translation>保存结论</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n pair(s) done; the verdict is based on these.</source>
        <translation>
            <numerusform>%n 个配对中已完成 %1 个；结论以这些为准。</numerusform>
        </translation>
    </message>
    <message>
        <source>Thick: the 90 % interval, by which equivalence is judged. Thin: the 95 % interval, by which a difference is judged. Shaded: the margin.</source>
        <translation>粗线：90 % 区间，用于判定等价。细线：95 % 区间，用于判定差异。阴影：等价界限。</translation>
    </message>
    <message>
        <source>◂ %1 lower</source>
        <comment>letter of a group</comment>
        <translation>◂ %1 较低</translation>
    </message>
    <message>
        <source>%1 higher ▸</source>
        <comment>letter of a group</comment>
        <translation>%1 较高 ▸</translation>
    </message>
    <message>
        <source>Margin: the metric&apos;s default, fixed on %1, before the first result.</source>
        <translation>界限为该指标的默认值，于 %1 定下，早于第一个结果。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::WeightBars</name>
    <message>
        <source>Fitted weights %1; right weights %2.</source>
        <translation>拟合权重 %1；正确权重 %2。</translation>
    </message>
    <message>
        <source>Micro-batches of earlier windows: %1.</source>
        <translation>先前窗口的微批次：%1。</translation>
    </message>
    <message>
        <source>Weights of the micro-batches</source>
        <translation>各微批次的权重</translation>
    </message>
    <message>
        <source>weight in the gradient</source>
        <translation>在梯度中的权重</translation>
    </message>
    <message>
        <source>micro-batch k of the window, with its units n_k</source>
        <translation>窗口中的微批次 k 及其单位数 n_k</translation>
    </message>
    <message>
        <source>right n_k/N</source>
        <translation>正确的 n_k/N</translation>
    </message>
    <message>
        <source>earlier windows</source>
        <translation>先前的窗口</translation>
    </message>
    <message>
        <source>No weights were fitted.</source>
        <translation>没有拟合权重。</translation>
    </message>
    <message>
        <source>Micro-batch %1: fitted %2, right %3</source>
        <translation>微批次 %1：拟合 %2，正确 %3</translation>
    </message>
    <message>
        <source>as accumulated (fitted c_k)</source>
        <translation>累积所得（拟合的 c_k）</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::comparison_loader</name>
    <message>
        <source>More seeds</source>
        <translation>追加种子</translation>
    </message>
    <message>
        <source>%1, more seeds</source>
        <translation>%1，追加种子</translation>
    </message>
    <message>
        <source>%1 on %2, %3 against %4</source>
        <translation>%1，%2，%3 对 %4</translation>
    </message>
    <message>
        <source>%1 studies together</source>
        <translation>%1 项研究合并</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::comparison_text</name>
    <message>
        <source>A single prediction changes the metric by %1, more than the margin, so staying inside it does not show equivalence.</source>
        <translation>一个预测的对错就会使指标改变 %1，超过等价界限：落在界限内不能证明等价。</translation>
    </message>
    <message>
        <source>The 90 % interval is the equivalence test&apos;s (TOST, each side at 5 %), the 95 % interval the difference&apos;s</source>
        <translation>90 % 区间用于等价检验（TOST，每侧 5 %），95 % 区间用于差异检验</translation>
    </message>
    <message>
        <source>%1: %2 (margin ±%3)</source>
        <comment>metric, its verdict</comment>
        <translation>%1：%2（等价界限 ±%3）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>metric, its verdict</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>minimum to maximum</source>
        <translation>最小值至最大值</translation>
    </message>
    <message>
        <source>mean ± SD</source>
        <translation>均值 ± SD</translation>
    </message>
    <message>
        <source>mean ± SE</source>
        <translation>均值 ± SE</translation>
    </message>
    <message>
        <source>95 % interval of the mean</source>
        <translation>均值的 95 % 区间</translation>
    </message>
    <message>
        <source>%1, n = %2</source>
        <translation>%1，n = %2</translation>
    </message>
    <message>
        <source>Spread between seeds (SD): %1</source>
        <translation>种子间的离散（SD）：%1</translation>
    </message>
    <message>
        <source>%1 (%)</source>
        <comment>axis of a metric</comment>
        <translation>%1（%）</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>an interval</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Equivalent</source>
        <translation>等价</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Different, but within the margin</source>
        <translation>不同，但在界限内</translation>
    </message>
    <message>
        <source>Within the margin, but not the same method</source>
        <translation>在界限内，但不是同一方法</translation>
    </message>
    <message>
        <source>Inconclusive</source>
        <translation>无定论</translation>
    </message>
    <message>
        <source>Not enough seeds</source>
        <translation>种子不足</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>墙钟时间</translation>
    </message>
    <message>
        <source>Active time</source>
        <translation>净训练时间</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>wall time (s)</source>
        <translation>墙钟时间（秒）</translation>
    </message>
    <message>
        <source>active time (s)</source>
        <translation>净训练时间（秒）</translation>
    </message>
    <message>
        <source>samples seen</source>
        <translation>已见样本</translation>
    </message>
    <message>
        <source>95 % interval: %1</source>
        <translation>95 % 区间：%1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>letter of a group, its title</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>letter of a group, its title</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::format</name>
    <message>
        <source>points</source>
        <comment>percentage points of accuracy</comment>
        <translation>个百分点</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>s</source>
        <comment>seconds</comment>
        <translation>秒</translation>
    </message>
    <message>
        <source>min</source>
        <comment>minutes</comment>
        <translation>分</translation>
    </message>
    <message>
        <source>h</source>
        <comment>hours</comment>
        <translation>小时</translation>
    </message>
    <message>
        <source>d</source>
        <comment>days</comment>
        <translation>天</translation>
    </message>
    <message>
        <source>accumulated</source>
        <translation>累积组</translation>
    </message>
    <message>
        <source>large batch</source>
        <translation>大批量组</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 个设备</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 个设备</translation>
    </message>
    <message>
        <source>micro-batch %1 × accumulation %2 × %3 = %4 samples per update</source>
        <translation>微批次 %1 × 累积 %2 × %3 = 每次参数更新 %4 个样本</translation>
    </message>
    <message>
        <source>micro-batch %1 and one of %2 = %3 samples per update</source>
        <translation>微批次 %1，另有一个 %2 = 每次参数更新 %3 个样本</translation>
    </message>
    <message>
        <source>micro-batch %1 × %2 and one of %3 = %4 samples per update</source>
        <translation>微批次 %1 × %2，另有一个 %3 = 每次参数更新 %4 个样本</translation>
    </message>
    <message>
        <source>%1, from update %2 on %3 = %4</source>
        <translation>%1，从第 %2 次更新起 %3 = %4</translation>
    </message>
    <message>
        <source>%1, and %2 more changes</source>
        <translation>%1，另有 %2 次变化</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between facts</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>micro-batch %1 × %2 and one of %3 on %4 devices = %5 samples per update</source>
        <translation>微批次 %1 × %2，另有一个 %3，分布在 %4 个设备上 = 每次参数更新 %5 个样本</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::library_rights</name>
    <message>
        <source>Another window has this library open.</source>
        <translation>另一个窗口已打开此库。</translation>
    </message>
    <message>
        <source>This library is read-only.</source>
        <translation>此库只能读取。</translation>
    </message>
    <message>
        <source>Another library is being opened.</source>
        <translation>正在打开另一个库。</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::pair_brief</name>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n 个种子</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accumulus::ui::report_loader</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2 %3 · seed %4</source>
        <translation>%1 · %2 %3 · 种子 %4</translation>
    </message>
    <message>
        <source>%1 · B = %2 · %3</source>
        <translation>%1 · B = %2 · %3</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::row_copy</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::saved_comparisons</name>
    <message>
        <source>%1, nobody fixed it</source>
        <comment>a margin</comment>
        <translation>%1，未曾设定</translation>
    </message>
    <message>
        <source>%1, set on %2, after the results were seen</source>
        <translation>%1，设定于 %2，在看到结果之后</translation>
    </message>
    <message>
        <source>%1, set on %2, before the first result</source>
        <translation>%1，设定于 %2，在首个结果之前</translation>
    </message>
</context>
<context>
    <name>accumulus::ui::setting_axis_text</name>
    <message>
        <source>%1 (%2)</source>
        <comment>a setting and its unit</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>%1 (%)</source>
        <comment>a metric in per cent</comment>
        <translation>%1（%）</translation>
    </message>
    <message>
        <source>(not set)</source>
        <translation>（未设置）</translation>
    </message>
</context>
<context>
    <name>choices</name>
    <message>
        <source>MNIST</source>
        <translation>MNIST</translation>
    </message>
    <message>
        <source>Fashion-MNIST</source>
        <translation>Fashion-MNIST</translation>
    </message>
    <message>
        <source>Generated digits</source>
        <translation>生成的数字</translation>
    </message>
    <message>
        <source>LeNet-5</source>
        <translation>LeNet-5</translation>
    </message>
    <message>
        <source>as PyTorch</source>
        <translation>同 PyTorch</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>正态</translation>
    </message>
    <message>
        <source>refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>shorter last micro-batch</source>
        <translation>缩短最后一个微批次</translation>
    </message>
    <message>
        <source>apply, weighted</source>
        <translation>更新，按样本加权</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>舍弃</translation>
    </message>
    <message>
        <source>carry over</source>
        <translation>结转</translation>
    </message>
    <message>
        <source>leak (a mistake, to study)</source>
        <translation>泄漏（用于研究的错误）</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>mean of means (a mistake, to study)</source>
        <translation>均值的均值（用于研究的错误）</translation>
    </message>
    <message>
        <source>sum of means (a mistake, to study)</source>
        <translation>均值之和（用于研究的错误）</translation>
    </message>
    <message>
        <source>means over the nominal K (a mistake, to study)</source>
        <translation>均值除以名义 K（用于研究的错误）</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>in stages</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>fp64, double</source>
        <translation>fp64，双精度</translation>
    </message>
    <message>
        <source>fp32, single</source>
        <translation>fp32，单精度</translation>
    </message>
    <message>
        <source>stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>skip the update</source>
        <translation>跳过该次更新</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>final test accuracy</source>
        <translation>最终测试准确率</translation>
    </message>
    <message>
        <source>best test accuracy</source>
        <translation>最佳测试准确率</translation>
    </message>
    <message>
        <source>final test loss</source>
        <translation>最终测试损失</translation>
    </message>
    <message>
        <source>final training loss</source>
        <translation>最终训练损失</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>Folder of images</source>
        <translation>图像文件夹</translation>
    </message>
    <message>
        <source>Tiny Shakespeare</source>
        <translation>Tiny Shakespeare</translation>
    </message>
    <message>
        <source>Generated textures</source>
        <translation>生成的纹理</translation>
    </message>
    <message>
        <source>ResNet-18</source>
        <translation>ResNet-18</translation>
    </message>
    <message>
        <source>ResNet-50</source>
        <translation>ResNet-50</translation>
    </message>
    <message>
        <source>Character GPT</source>
        <translation>字符级 GPT</translation>
    </message>
    <message>
        <source>BERT mini</source>
        <translation>BERT mini</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>crop and flip</source>
        <translation>裁剪与翻转</translation>
    </message>
    <message>
        <source>7 × 7, for large images</source>
        <translation>7 × 7，用于大图像</translation>
    </message>
    <message>
        <source>3 × 3, for small images</source>
        <translation>3 × 3，用于小图像</translation>
    </message>
    <message>
        <source>BatchNorm</source>
        <translation>BatchNorm</translation>
    </message>
    <message>
        <source>GroupNorm</source>
        <translation>GroupNorm</translation>
    </message>
    <message>
        <source>bf16, 16 bits</source>
        <translation>bf16，16 位</translation>
    </message>
    <message>
        <source>fp16, 16 bits</source>
        <translation>fp16，16 位</translation>
    </message>
    <message>
        <source>at each micro-step</source>
        <translation>每个微步</translation>
    </message>
    <message>
        <source>once per update, pooled</source>
        <translation>每次更新一次，合并统计</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>leave the micro-batch out</source>
        <translation>略去该微批次</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>compute in smaller parts</source>
        <translation>分成更小的部分计算</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>nothing (DDP)</source>
        <translation>不分摊（DDP）</translation>
    </message>
    <message>
        <source>optimizer state (ZeRO-1)</source>
        <translation>优化器状态（ZeRO-1）</translation>
    </message>
    <message>
        <source>state and gradient (ZeRO-2)</source>
        <translation>优化器状态和梯度（ZeRO-2）</translation>
    </message>
    <message>
        <source>rank by rank</source>
        <translation>逐个 rank</translation>
    </message>
    <message>
        <source>micro-step by micro-step</source>
        <translation>逐个微步</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>final top-5 test accuracy</source>
        <translation>最终 top-5 测试准确率</translation>
    </message>
    <message>
        <source>final test perplexity</source>
        <translation>最终测试困惑度</translation>
    </message>
    <message>
        <source>final mean absolute error</source>
        <translation>最终平均绝对误差</translation>
    </message>
    <message>
        <source>final root mean squared error</source>
        <translation>最终均方根误差</translation>
    </message>
    <message>
        <source>final R²</source>
        <translation>最终 R²</translation>
    </message>
    <message>
        <source>Network from a file</source>
        <translation>来自文件的网络</translation>
    </message>
    <message>
        <source>CIFAR-100</source>
        <translation>CIFAR-100</translation>
    </message>
    <message>
        <source>Text or token file</source>
        <translation>文本或词元文件</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>cross entropy</source>
        <translation>交叉熵</translation>
    </message>
    <message>
        <source>squared error (MSE)</source>
        <translation>平方误差（MSE）</translation>
    </message>
    <message>
        <source>absolute error (L1)</source>
        <translation>绝对误差（L1）</translation>
    </message>
    <message>
        <source>Huber</source>
        <translation>Huber</translation>
    </message>
    <message>
        <source>binary cross entropy of logits</source>
        <translation>logits 的二元交叉熵</translation>
    </message>
    <message>
        <source>the network&apos;s own</source>
        <translation>网络自带</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>square root</source>
        <translation>平方根</translation>
    </message>
    <message>
        <source>final validation accuracy</source>
        <translation>最终验证准确率</translation>
    </message>
    <message>
        <source>best validation accuracy</source>
        <translation>最佳验证准确率</translation>
    </message>
    <message>
        <source>final validation loss</source>
        <translation>最终验证损失</translation>
    </message>
    <message>
        <source>final mean absolute validation error</source>
        <translation>最终验证平均绝对误差</translation>
    </message>
    <message>
        <source>final root mean squared validation error</source>
        <translation>最终验证均方根误差</translation>
    </message>
</context>
<context>
    <name>examples</name>
    <message>
        <source>Does it matter what a window is divided by when its micro-batches do not bear the same number of losses?</source>
        <translation>当各微批次承担的损失数目不同时，累积窗口除以什么重要吗？</translation>
    </message>
    <message>
        <source>Does a small GPT learn Shakespeare letter by letter when its batch is accumulated?</source>
        <translation>批次经累积得到时，小型 GPT 能逐字母学会莎士比亚吗？</translation>
    </message>
    <message>
        <source>Does a parameter stand still until the window is complete, as ColossalAI&apos;s gradient accumulation tutorial shows by printing it?</source>
        <translation>参数是否在累积窗口完成之前保持不动，正如 ColossalAI 的梯度累积教程打印出来的那样？</translation>
    </message>
    <message>
        <source>What does it cost to share out the accumulated gradient, too?</source>
        <translation>把累积的梯度也分片，要付出什么代价？</translation>
    </message>
    <message>
        <source>Does sharding the optimizer&apos;s state change the training?</source>
        <translation>对优化器状态分片会改变训练吗？</translation>
    </message>
    <message>
        <source>Is accumulating 8 micro-batches of 32 the same as one batch of 256?</source>
        <translation>累积 8 个大小为 32 的微批次，与一个 256 的批次相同吗？</translation>
    </message>
    <message>
        <source>Does gradient accumulation, done right, reach what the MindSpore tutorial (r1.5, stand-alone) reports?</source>
        <translation>正确的梯度累积能达到 MindSpore 教程（r1.5，单机）所报告的结果吗？</translation>
    </message>
    <message>
        <source>Do the losses that MindSpore&apos;s GradAccumulation wrapper prints come out here too?</source>
        <translation>MindSpore 的 GradAccumulation 封装打印的损失，在这里也能得到吗？</translation>
    </message>
    <message>
        <source>What do 6 accumulation steps do to ResNet-50 on CIFAR-10, as in MindSpore&apos;s parallel tutorial (r1.5)?</source>
        <translation>像 MindSpore 并行教程（r1.5）那样，6 个累积步数对 CIFAR-10 上的 ResNet-50 有什么影响？</translation>
    </message>
    <message>
        <source>What happens to a window when one of its micro-steps overflows in 16 bits, as in MindSpore&apos;s tutorial with a dynamic loss scale?</source>
        <translation>像 MindSpore 的动态损失缩放教程那样，累积窗口中有一个微步在 16 位下溢出时会怎样？</translation>
    </message>
</context>
<context>
    <name>fields</name>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Training samples used</source>
        <translation>所用训练样本</translation>
    </message>
    <message>
        <source>Test samples used</source>
        <translation>所用测试样本</translation>
    </message>
    <message>
        <source>Validation samples</source>
        <translation>验证样本</translation>
    </message>
    <message>
        <source>Resize images</source>
        <translation>调整图像大小</translation>
    </message>
    <message>
        <source>Shuffle every epoch</source>
        <translation>每轮打乱顺序</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>初始权重</translation>
    </message>
    <message>
        <source>Deviation of initial weights</source>
        <translation>初始权重的标准差</translation>
    </message>
    <message>
        <source>Effective batch B</source>
        <translation>有效批大小 B</translation>
    </message>
    <message>
        <source>Micro-batch m</source>
        <translation>微批次 m</translation>
    </message>
    <message>
        <source>Accumulation steps K</source>
        <translation>累积步数 K</translation>
    </message>
    <message>
        <source>Devices D</source>
        <translation>设备数 D</translation>
    </message>
    <message>
        <source>If m does not divide B</source>
        <translation>m 不能整除 B 时</translation>
    </message>
    <message>
        <source>Last window of an epoch</source>
        <translation>每轮最后一个窗口</translation>
    </message>
    <message>
        <source>Gradient is averaged over</source>
        <translation>梯度平均的依据</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Nesterov momentum</source>
        <translation>Nesterov 动量</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Decay every</source>
        <translation>衰减间隔</translation>
    </message>
    <message>
        <source>Decay factor</source>
        <translation>衰减系数</translation>
    </message>
    <message>
        <source>Final learning rate, fraction</source>
        <translation>最终学习率比例</translation>
    </message>
    <message>
        <source>Length of a run</source>
        <translation>运行长度</translation>
    </message>
    <message>
        <source>Clip gradient norm at</source>
        <translation>梯度范数裁剪阈值</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>On a non-finite loss</source>
        <translation>损失非有限时</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道数</translation>
    </message>
    <message>
        <source>Threads per lane</source>
        <translation>每通道线程数</translation>
    </message>
    <message>
        <source>Evaluate every</source>
        <translation>评估间隔</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>检查点间隔</translation>
    </message>
    <message>
        <source>Checkpoints kept</source>
        <translation>保留的检查点数</translation>
    </message>
    <message>
        <source>Keep the best weights</source>
        <translation>保留最佳权重</translation>
    </message>
    <message>
        <source>Keep the initial weights</source>
        <translation>保留初始权重</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Also run the large batch</source>
        <translation>同时运行大批量</translation>
    </message>
    <message>
        <source>Equivalence margin</source>
        <translation>等价界限</translation>
    </message>
    <message>
        <source>Compared metric</source>
        <translation>对比指标</translation>
    </message>
    <message>
        <source>= all</source>
        <translation>= 全部</translation>
    </message>
    <message>
        <source>= none</source>
        <translation>= 无</translation>
    </message>
    <message>
        <source>= own size</source>
        <translation>= 原始大小</translation>
    </message>
    <message>
        <source>= derived</source>
        <translation>= 推导</translation>
    </message>
    <message>
        <source>= off</source>
        <translation>= 关闭</translation>
    </message>
    <message>
        <source>= automatic</source>
        <translation>= 自动</translation>
    </message>
    <message>
        <source>= at the end</source>
        <translation>= 仅在结束时</translation>
    </message>
    <message>
        <source>bundled copy</source>
        <translation>内置副本</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认值：%1</translation>
    </message>
    <message>
        <source>Allowed: %1</source>
        <translation>允许：%1</translation>
    </message>
    <message>
        <source>Data set to train and test on.</source>
        <translation>用于训练和测试的数据集。</translation>
    </message>
    <message>
        <source>Train on the first N samples only; 0 for all.</source>
        <translation>只用前 N 个样本训练；0 表示全部。</translation>
    </message>
    <message>
        <source>Test on the first N samples only; 0 for all.</source>
        <translation>只用前 N 个样本测试；0 表示全部。</translation>
    </message>
    <message>
        <source>Draw the samples of each epoch in a new random order.</source>
        <translation>每轮以新的随机顺序抽取样本。</translation>
    </message>
    <message>
        <source>Network to train.</source>
        <translation>要训练的网络。</translation>
    </message>
    <message>
        <source>How the initial weights are drawn.</source>
        <translation>权重的随机初始化方式。</translation>
    </message>
    <message>
        <source>Standard deviation of the initial weights.</source>
        <translation>初始权重的标准差。</translation>
    </message>
    <message>
        <source>Accumulation steps per update, K; 0 derives them from the effective batch.</source>
        <translation>每次参数更新的累积步数 K；0 表示由有效批大小推导。</translation>
    </message>
    <message>
        <source>What to do when the effective batch is not a multiple of the micro-batch.</source>
        <translation>有效批大小不是微批次的整数倍时如何处理。</translation>
    </message>
    <message>
        <source>What happens to the short last window of an epoch.</source>
        <translation>如何处理每轮最后一个不满的累积窗口。</translation>
    </message>
    <message>
        <source>What the summed gradient of a window is divided by.</source>
        <translation>累积窗口的梯度之和除以什么。</translation>
    </message>
    <message>
        <source>Optimizer, called once per window.</source>
        <translation>优化器，每个累积窗口调用一次。</translation>
    </message>
    <message>
        <source>Momentum of sgd; 0 for none.</source>
        <translation>sgd 的动量；0 表示不用。</translation>
    </message>
    <message>
        <source>Nesterov&apos;s form of momentum.</source>
        <translation>Nesterov 形式的动量。</translation>
    </message>
    <message>
        <source>Weight decay; 0 for none.</source>
        <translation>权重衰减；0 表示不用。</translation>
    </message>
    <message>
        <source>Decay of Adam&apos;s first moment.</source>
        <translation>Adam 一阶矩的衰减率。</translation>
    </message>
    <message>
        <source>Running mean of the gradient: m &lt;- beta1 m + (1 - beta1) g.</source>
        <translation>梯度的滑动平均：m &lt;- beta1 m + (1 - beta1) g。</translation>
    </message>
    <message>
        <source>Decay of Adam&apos;s second moment.</source>
        <translation>Adam 二阶矩的衰减率。</translation>
    </message>
    <message>
        <source>Running mean of the squared gradient: v &lt;- beta2 v + (1 - beta2) g^2. Larger batches make g less noisy and v smaller.</source>
        <translation>梯度平方的滑动平均：v &lt;- beta2 v + (1 - beta2) g^2。批越大，g 的噪声越小，v 也越小。</translation>
    </message>
    <message>
        <source>Adam&apos;s guard against division by zero.</source>
        <translation>Adam 防止除以零的保护项。</translation>
    </message>
    <message>
        <source>How the learning rate changes over the run.</source>
        <translation>学习率在整个运行中如何变化。</translation>
    </message>
    <message>
        <source>Length of the linear rise of the learning rate at the start; &quot;0 updates&quot; for none.</source>
        <translation>开始时学习率线性上升的长度；&quot;0 updates&quot; 表示不用。</translation>
    </message>
    <message>
        <source>Interval between two decays of the step schedule.</source>
        <translation>分段调度中两次衰减之间的间隔。</translation>
    </message>
    <message>
        <source>Factor of each decay of the step schedule.</source>
        <translation>分段调度中每次衰减的系数。</translation>
    </message>
    <message>
        <source>0.1 divides the learning rate by ten each time.</source>
        <translation>0.1 表示每次将学习率除以十。</translation>
    </message>
    <message>
        <source>Learning rate at the end of a linear or cosine schedule, as a fraction of lr.</source>
        <translation>线性或余弦调度结束时的学习率，以 lr 的比例表示。</translation>
    </message>
    <message>
        <source>Length of the run: &quot;N epochs&quot;, &quot;N updates&quot; or &quot;N samples&quot;.</source>
        <translation>运行的长度：&quot;N epochs&quot;、&quot;N updates&quot; 或 &quot;N samples&quot;。</translation>
    </message>
    <message>
        <source>What to do when a loss or gradient is not finite.</source>
        <translation>损失或梯度非有限时如何处理。</translation>
    </message>
    <message>
        <source>Where to compute.</source>
        <translation>在哪里计算。</translation>
    </message>
    <message>
        <source>Interval between evaluations on the test set and the validation samples; &quot;0 epochs&quot;: only at the end.</source>
        <translation>在测试集和验证样本上评估的间隔；&quot;0 epochs&quot;：仅在结束时。</translation>
    </message>
    <message>
        <source>Interval between checkpoints; &quot;0 epochs&quot;: only at the end.</source>
        <translation>保存检查点的间隔；&quot;0 epochs&quot;：仅在结束时。</translation>
    </message>
    <message>
        <source>Also keep the weights before the first update.</source>
        <translation>同时保留第一次参数更新之前的权重。</translation>
    </message>
    <message>
        <source>One run, or one pair of arms, for each seed.</source>
        <translation>每个种子一次运行，或一个由两组组成的配对。</translation>
    </message>
    <message>
        <source>Leave out the short last micro-batch of an epoch.</source>
        <translation>舍弃每轮最后一个不满的微批次。</translation>
    </message>
    <message>
        <source>A study sets it to the partner&apos;s micro-batch in the large-batch arm, so that both arms leave out the same samples.</source>
        <translation>研究在大批量组中将其设为配对另一方的微批次，使两组舍弃同样的样本。</translation>
    </message>
    <message>
        <source>Random changes made to each training image.</source>
        <translation>对每幅训练图像所做的随机改变。</translation>
    </message>
    <message>
        <source>First layers of a ResNet.</source>
        <translation>ResNet 的起始层。</translation>
    </message>
    <message>
        <source>Normalisation layers of a ResNet.</source>
        <translation>ResNet 的归一化层。</translation>
    </message>
    <message>
        <source>Channels of a transformer.</source>
        <translation>Transformer 的特征通道数（宽度）。</translation>
    </message>
    <message>
        <source>Effective batch that changes during the run: [[update, effective], ...]; empty for none.</source>
        <translation>在运行中改变的有效批大小：[[update, effective], ...]；留空表示不用。</translation>
    </message>
    <message>
        <source>Number format of activations and gradients.</source>
        <translation>激活值和梯度的数值格式。</translation>
    </message>
    <message>
        <source>A large batch normalised in groups of m has the same gradient as accumulation with micro-batches of m. study.ghost sets it for the large-batch arm.</source>
        <translation>以 m 个样本为一组归一化的大批量，其梯度与微批次为 m 的累积相同。study.ghost 为大批量组设置它。</translation>
    </message>
    <message>
        <source>What to do when memory runs out.</source>
        <translation>内存不足时如何处理。</translation>
    </message>
    <message>
        <source>Parameter whose first 10 elements are recorded at every micro-step; empty for none.</source>
        <translation>在每个微步记录其前 10 个元素的参数；留空表示不记录。</translation>
    </message>
    <message>
        <source>Drop a short micro-batch</source>
        <translation>丢弃不完整的微批次</translation>
    </message>
    <message>
        <source>Epoch is a multiple of</source>
        <translation>每轮样本数取其倍数</translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation>数据增强</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>First layers</source>
        <translation>起始层</translation>
    </message>
    <message>
        <source>Normalisation layers</source>
        <translation>归一化层</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Ramp of the effective batch</source>
        <translation>有效批大小渐变</translation>
    </message>
    <message>
        <source>Accumulate in place</source>
        <translation>就地累积</translation>
    </message>
    <message>
        <source>Accumulator</source>
        <translation>累加器</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>BatchNorm statistics</source>
        <translation>BatchNorm 统计量</translation>
    </message>
    <message>
        <source>BatchNorm group</source>
        <translation>BatchNorm 分组</translation>
    </message>
    <message>
        <source>Channels last</source>
        <translation>channels last</translation>
    </message>
    <message>
        <source>Deterministic</source>
        <translation>确定性</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>When memory runs out</source>
        <translation>内存不足时</translation>
    </message>
    <message>
        <source>Parameter probe</source>
        <translation>参数探针</translation>
    </message>
    <message>
        <source>Ghost control</source>
        <translation>Ghost 对照</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA 图</translation>
    </message>
    <message>
        <source>= the micro-batch</source>
        <translation>= 微批次</translation>
    </message>
    <message>
        <source>= whole micro-batch</source>
        <translation>= 整个微批次</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>none, for example conv1.weight</source>
        <translation>无，例如 conv1.weight</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Winograd convolutions</source>
        <translation>Winograd 卷积</translation>
    </message>
    <message>
        <source>The first N samples of the training file, counted before the validation samples are taken from their end. A small limit makes an experiment quick; it also lowers the test accuracy, for both arms alike.</source>
        <translation>训练文件的前 N 个样本，在从其末尾取出验证样本之前计算。较小的限制使实验更快，也会使两组的测试准确率同样降低。</translation>
    </message>
    <message>
        <source>The standard error of an accuracy p measured on n samples is sqrt(p (1 - p) / n): about 0.12 points at 98.5 % on 10000 samples, 0.38 points on 1000. Limit the test set only where that is precise enough.</source>
        <translation>在 n 个样本上测得的准确率 p 的标准误为 sqrt(p (1 - p) / n)：准确率 98.5 % 时，10000 个样本约为 0.12 个百分点，1000 个样本约为 0.38 个百分点。只有在这样的精度足够时才限制测试集。</translation>
    </message>
    <message>
        <source>Samples held out from the end of the training set for validation; 0 for none.</source>
        <translation>从训练集末尾留出用于验证的样本；0 表示不留。</translation>
    </message>
    <message>
        <source>Side length to which images are resized when loaded; 0 keeps their size.</source>
        <translation>载入图像时调整到的边长；0 保持原始大小。</translation>
    </message>
    <message>
        <source>Bilinear, done once, stored as 8-bit pixels. Of an image that is not square the middle square is taken. LeNet-5 was published for 32 x 32 pixels; for 28 x 28 its first convolution is padded by 2, which gives the same 28 x 28 feature maps.</source>
        <translation>双线性，仅一次，保存为 8 位像素。非正方形图像取其中间的正方形。LeNet-5 发表时使用 32 x 32 像素；对于 28 x 28，第一个卷积填充 2，得到同样的 28 x 28 特征图。</translation>
    </message>
    <message>
        <source>The order is a permutation keyed by seed and epoch. It does not depend on the micro-batch, so every split of a window, and the large batch as well, trains on the same samples. Off: every epoch follows the order of the file.</source>
        <translation>该顺序是由种子和轮次决定的排列。它与微批次无关，因此累积窗口的每种划分以及与之对照的大批量都用相同的样本训练。关闭时：每轮都按文件中的顺序。</translation>
    </message>
    <message>
        <source>If the number of samples is not a multiple of the micro-batch, the remainder of the epoch is not used. The other micro-batches of the last window stay. The partner of a pair leaves out the same samples.</source>
        <translation>样本数不是微批次的整数倍时，每轮余下的样本不参与训练。最后一个累积窗口的其他微批次保留。配对中的另一次运行舍弃同样的样本。</translation>
    </message>
    <message>
        <source>With data.drop_last, an epoch uses a multiple of this many samples; 0: of the micro-batch.</source>
        <translation>与 data.drop_last 一起使用：每轮训练的样本数是此数的整数倍；0：微批次的整数倍。</translation>
    </message>
    <message>
        <source>crop-flip: shifts by up to 4 pixels in each direction with black borders, and mirrors half of the images. Keyed by seed, epoch and sample, not by the order of calls, so every split of a window sees the same images.</source>
        <translation>crop-flip：向各方向最多平移 4 个像素并以黑边填充，且有一半机会左右镜像。由种子、轮次和样本决定，与调用顺序无关，因此累积窗口的每种划分都看到相同的图像。</translation>
    </message>
    <message>
        <source>Context length: tokens in one sample of text.</source>
        <translation>上下文长度：一个文本样本的词元数。</translation>
    </message>
    <message>
        <source>The text is cut into pieces of this length. In char-gpt every token carries loss, in bert-mini only the masked ones.</source>
        <translation>文本被切成此长度的片段。在 char-gpt 中每个词元都计入损失，在 bert-mini 中只有被遮盖的部分计入。</translation>
    </message>
    <message>
        <source>Used with model.init = &quot;normal&quot;. Tutorials often use 0.02 or 0.01; a variance of 2 / fan-in preserves the scale of activations through ReLU layers.</source>
        <translation>与 model.init = &quot;normal&quot; 一起使用。教程中常见 0.02 和 0.01；方差取 2 / fan-in 可在 ReLU 层间保持激活值的尺度。</translation>
    </message>
    <message>
        <source>imagenet: a 7x7 convolution with stride 2 and max-pooling, for large images. cifar: one 3x3 convolution without pooling, clearly better for 32x32 images.</source>
        <translation>imagenet：步幅为 2 的 7x7 卷积加最大池化，用于大图像。cifar：一个 3x3 卷积，不带池化，对 32x32 的图像明显更好。</translation>
    </message>
    <message>
        <source>batch: BatchNorm, whose statistics depend on the micro-batch, so accumulation differs from the large batch. group: GroupNorm with 32 groups (fewer where a layer has fewer channels), which sees one sample at a time, so accumulation is exact.</source>
        <translation>batch：BatchNorm，其统计量取决于微批次，因此累积与大批量不同。group：GroupNorm，分 32 组（特征通道较少的层组数更少），每次只看一个样本：累积是精确的。</translation>
    </message>
    <message>
        <source>Number of transformer blocks.</source>
        <translation>Transformer 块数。</translation>
    </message>
    <message>
        <source>Each has attention and a feed-forward layer of 4 x width.</source>
        <translation>每块由注意力层和宽度为 4 x width 的前馈层组成。</translation>
    </message>
    <message>
        <source>Number of attention heads.</source>
        <translation>注意力头数。</translation>
    </message>
    <message>
        <source>The width must be a multiple of it.</source>
        <translation>宽度必须是它的整数倍。</translation>
    </message>
    <message>
        <source>The number of parameters grows with its square.</source>
        <translation>参数量随其平方增长。</translation>
    </message>
    <message>
        <source>Fraction of activations set to zero during training; 0 for none.</source>
        <translation>训练时置零的激活值比例；0 表示不用。</translation>
    </message>
    <message>
        <source>In lenet5 and mlp after each hidden fully connected layer, in ResNets before the last layer, in transformers after embeddings, attention and feed-forward layers. The mask is keyed by seed, epoch, sample and layer, so it is the same for every split of a window.</source>
        <translation>在 lenet5 和 mlp 中位于每个隐藏全连接层之后，在 ResNet 中位于最后一层之前，在 Transformer 中位于嵌入、注意力和前馈层之后。掩码由种子、轮次、样本和层决定，因此累积窗口的每种划分都相同。</translation>
    </message>
    <message>
        <source>Samples per update: B = m x K x D; 0 derives it.</source>
        <translation>一次参数更新所用的样本数：B = m x K x D；0 表示由程序推导。</translation>
    </message>
    <message>
        <source>The batch size that the optimizer sees. It determines how training proceeds: as long as it stays the same, splitting it into micro-batches changes memory and time but not the result, up to rounding. 0: micro x steps x devices.</source>
        <translation>优化器所见的批大小。它决定训练的轨迹：保持它不变时，微批次的划分会改变内存和时间，但除舍入外不改变结果。0：micro x steps x devices。</translation>
    </message>
    <message>
        <source>Samples per micro-batch, m.</source>
        <translation>一个微批次的样本数 m。</translation>
    </message>
    <message>
        <source>What passes through the network at once. Memory for activations grows with it; below a certain size the fixed cost of each micro-step dominates. It must not change the result: that is what comparing the arms tests.</source>
        <translation>一次通过网络的样本。激活值所需内存随之增长；小于某个大小时，每个微步的固定开销占主导。它不应改变结果：两组的对比正是检验这一点。</translation>
    </message>
    <message>
        <source>Micro-steps whose gradients are summed before the optimizer is called once. If the effective batch is given too, the two must agree.</source>
        <translation>在调用一次优化器之前累加其梯度的微步数。若与有效批大小同时给出，两者必须一致。</translation>
    </message>
    <message>
        <source>refuse: report it, with the nearest multiples. weight: the last micro-batch of a window is smaller and is weighted by its number of samples, so B stays exactly as requested.</source>
        <translation>refuse：拒绝，并给出最接近的倍数。weight：累积窗口的最后一个微批次较小，并按其所含样本数计权，因此 B 与要求的完全一致。</translation>
    </message>
    <message>
        <source>From each given update (counted from 1) the effective batch takes the value given with it; the micro-batch stays and the accumulation steps follow. Changes take effect only between windows.</source>
        <translation>从每个给定的参数更新起（从 1 开始计数），有效批大小取与之一同给出的值；微批次不变，累积步数随之改变。改变只在两个累积窗口之间生效。</translation>
    </message>
    <message>
        <source>Accumulate in place: needs one less copy of the gradient.</source>
        <translation>就地累积：少存一份梯度。</translation>
    </message>
    <message>
        <source>Saves the memory of one gradient per lane and runs on one lane. In return, a fault in a micro-step restarts the whole window.</source>
        <translation>每个通道节省一份梯度的内存；只在一个通道上运行。此时微步中若发生故障，其累积窗口将重新开始。</translation>
    </message>
    <message>
        <source>samples, tokens: sums are accumulated and divided once by the actual number of loss units in the window, which gives the gradient of the large batch for every split (an image counts as one unit under both). mean-of-means: each micro-batch is averaged first; wrong when sizes differ. sum-of-means: these averages are summed and not divided, so the learning rate acts K times as strongly. nominal-steps: these averages are summed and divided by the planned K, also where a window is short or holds what leaked into it. The last three show what tutorials do.</source>
        <translation>samples、tokens：累加各项之和，再一次性除以累积窗口中损失单位的实际数量；无论如何划分，这都是大批量的梯度（在两种方式下一幅图像都计为一个单位）。mean-of-means：先对每个微批次求平均；大小不同时是错误的。sum-of-means：这些平均值相加而不再除，因此学习率的作用放大为 K 倍。nominal-steps：这些平均值相加后除以计划的 K，即使累积窗口较短或含有泄漏进来的样本。后三种展示教程中的做法。</translation>
    </message>
    <message>
        <source>Fraction of the target spread evenly over all classes; 0 for none.</source>
        <translation>均匀分配给所有类别的目标比例；0 表示不用。</translation>
    </message>
    <message>
        <source>Cross entropy against (1 - s) on the correct class plus s / classes on every class. It is a per-sample loss, so accumulation stays exact.</source>
        <translation>交叉熵的目标为：正确类别 (1 - s)，每个类别再加 s / 类别数。这是逐样本的损失，因此累积仍是精确的。</translation>
    </message>
    <message>
        <source>sgd: with momentum if set. adam: weight decay is added to the gradient. adamw: weight decay is applied to the weights, separately from the moments. Momentum, moments and bias correction advance once per update, never per micro-step.</source>
        <translation>sgd：若设置则带动量。adam：权重衰减加到梯度上。adamw：权重衰减独立于各阶矩，直接作用于权重。动量、各阶矩和偏差校正每次参数更新推进一次，从不按微步推进。</translation>
    </message>
    <message>
        <source>Learning rate: the step size of one update.</source>
        <translation>学习率，一次参数更新的系数。</translation>
    </message>
    <message>
        <source>It is tuned for one effective batch. When B grows by k, the usual rules are lr x k (small batches) or lr x sqrt(k) (adaptive optimizers); splitting the same B into micro-batches needs no change.</source>
        <translation>针对某个有效批大小调定。当 B 增大 k 倍时，通常的规则是 lr x k（小批量）或 lr x sqrt(k)（自适应优化器）；把同样的 B 划分为微批次则不需要改变。</translation>
    </message>
    <message>
        <source>v &lt;- momentum v + gradient; weights &lt;- weights - lr v. Under a steady gradient the learning rate acts 1 / (1 - momentum) times as strongly.</source>
        <translation>v &lt;- momentum v + gradient；weights &lt;- weights - lr v。梯度恒定时，lr 的作用放大为 1 / (1 - momentum) 倍。</translation>
    </message>
    <message>
        <source>Steps along gradient + momentum v instead of v. Takes effect with sgd and a momentum above 0.</source>
        <translation>沿 gradient + momentum v 而不是仅沿 v 前进。对动量大于 0 的 sgd 有意义。</translation>
    </message>
    <message>
        <source>sgd and adam add weight_decay x weights to the gradient of the window; adamw subtracts lr x weight_decay x weights from the weights. Once per update: applied per micro-step, it would act K times as strongly.</source>
        <translation>sgd 和 adam 把它与权重的乘积加到累积窗口的梯度上，adamw 从权重中减去 lr 与它的乘积。每次参数更新一次：若按微步应用，其作用会是 K 倍。</translation>
    </message>
    <message>
        <source>Added to the square root of the second moment. Adam hardly notices a constant factor in the gradient; a large eps changes that.</source>
        <translation>加到二阶矩的平方根上。Adam 对梯度中的常数因子几乎不敏感；较大的 eps 会失去这一性质。</translation>
    </message>
    <message>
        <source>Counted in applied updates, so both arms of a pair follow the same curve. linear and cosine fall to schedule.final_lr_fraction by the end of the run; step multiplies by schedule.step_factor at fixed intervals.</source>
        <translation>按已应用的参数更新计数，因此一个配对的两组遵循同一曲线。linear 和 cosine 在运行结束时降到 schedule.final_lr_fraction；step 以固定间隔乘以 schedule.step_factor。</translation>
    </message>
    <message>
        <source>Without it, large effective batches with a scaled learning rate often diverge in the first updates. Works with every schedule. In updates, samples or epochs.</source>
        <translation>有效批大小较大且学习率按比例放大时，若没有预热，常在最初几次参数更新中发散。可用于每种调度。以参数更新、样本或轮次为单位。</translation>
    </message>
    <message>
        <source>In updates, samples or epochs, counted from the end of the warm-up.</source>
        <translation>以参数更新、样本或轮次为单位，从预热结束时算起。</translation>
    </message>
    <message>
        <source>0 decays to nothing, 1 keeps the learning rate constant.</source>
        <translation>0 降到零，1 保持学习率不变。</translation>
    </message>
    <message>
        <source>A single setting, so nothing can contradict it. Arms that are compared see the same samples and, with the same effective batch, make the same number of updates. A run measured in samples ends with the first update that reaches them.</source>
        <translation>只有一个设置，因此没有什么能与之矛盾。要对比的两组看到相同的样本；有效批大小相同时，参数更新次数也相同。以样本计的运行，在达到或超过该数的第一次参数更新处结束。</translation>
    </message>
    <message>
        <source>Largest L2 norm of a window&apos;s gradient; 0 for no clipping.</source>
        <translation>累积窗口梯度的最大 L2 范数；0 表示不裁剪。</translation>
    </message>
    <message>
        <source>Applied once per update, to the averaged gradient. Clipping each micro-batch, or the sum before it is divided, is a different method and does not equal the large batch.</source>
        <translation>每次参数更新对平均后的梯度应用一次。裁剪每个微批次，或裁剪尚未相除的总和，是另一种方法，与大批量不相等。</translation>
    </message>
    <message>
        <source>fp32 is the usual choice. In fp64 the gradients of the two arms agree to about 1e-15 relative, which separates rounding from a real difference; it takes roughly twice the time. bf16 and fp16 keep the weights in fp32 and round activations and gradients to 16 bits (autocast), which takes less memory. They are faster on GPUs. Processors with matrix instructions for them (AMX) gain in large layers and may lose in small ones: measure both. fp16 needs a loss scale.</source>
        <translation>fp32 是通常训练所用的格式。在 fp64 中，两组的梯度相对误差约为 1e-15，可借此区分舍入与真实差异；耗时约为两倍。bf16 和 fp16 以 fp32 保存权重，将激活值和梯度舍入为 16 位（autocast），占用的内存更少；在 GPU 上速度更快；带有相应矩阵指令（AMX）的处理器在大的层上更快，在小的层上可能更慢：请两者都测量。fp16 需要损失缩放。</translation>
    </message>
    <message>
        <source>Number format in which the gradients of a window are summed.</source>
        <translation>累加累积窗口的梯度时所用的数值格式。</translation>
    </message>
    <message>
        <source>auto: fp64 in fp64 runs, otherwise fp32. bf16 saves memory but stalls: with 8 bits a sum stops growing once it is 256 times its terms. It is there for demonstration.</source>
        <translation>auto：fp64 运行用 fp64，否则用 fp32。bf16 节省内存但会停滞：只有 8 个有效位，总和达到各项的 256 倍时就不再增长。它的存在是为了展示这一点。</translation>
    </message>
    <message>
        <source>Factor applied to the loss before the backward pass in fp16: &quot;dynamic&quot; or a number.</source>
        <translation>fp16 下反向传播之前损失所乘的系数：&quot;dynamic&quot; 或一个数。</translation>
    </message>
    <message>
        <source>Keeps small gradients from vanishing in 16 bits. It is divided out while gradients are summed, before clipping. dynamic: halved after an overflow, doubled after 2000 updates without one.</source>
        <translation>防止很小的梯度在 16 位中消失。在累加梯度时、裁剪之前再除去。dynamic：溢出后减半，连续 2000 次参数更新没有溢出后加倍。</translation>
    </message>
    <message>
        <source>How BatchNorm layers treat the micro-batches of a window.</source>
        <translation>BatchNorm 层如何处理一个累积窗口的各微批次。</translation>
    </message>
    <message>
        <source>Each micro-batch is normalised by its own statistics. micro: the running statistics move at each micro-step, as in other frameworks, so K times per update. pooled: once per update, with the statistics of the whole window. frozen: the running statistics normalise and do not change; accumulation is then exact.</source>
        <translation>每个微批次按自身的统计量归一化。micro：滑动统计量在每个微步更新，与其他框架相同，因此每次参数更新会更新 K 次。pooled：每次参数更新只更新一次，使用整个累积窗口的统计量。frozen：按滑动统计量归一化，且统计量保持不变；此时累积是精确的。</translation>
    </message>
    <message>
        <source>BatchNorm group size within a micro-batch; 0: the whole micro-batch.</source>
        <translation>微批次内的 BatchNorm 分组大小；0：整个微批次。</translation>
    </message>
    <message>
        <source>Memory layout of images in convolutions.</source>
        <translation>卷积中图像的内存排列顺序。</translation>
    </message>
    <message>
        <source>With channels last, convolutions in wide layers are about a quarter faster on CPUs. auto: wherever it is faster, that is on CPUs, and in 16 bits on GPUs.</source>
        <translation>采用 channels last 时，较宽的层的卷积在 CPU 上约快四分之一。auto：在有利时使用，即在 CPU 上，以及在 GPU 上用 16 位计算时。</translation>
    </message>
    <message>
        <source>Compute 3x3 convolutions with fewer multiplications, where that is faster.</source>
        <translation>在更快的情况下，用更少的乘法计算 3x3 卷积。</translation>
    </message>
    <message>
        <source>Winograd&apos;s algorithm, with channels last on CPUs with AVX2, in fp32, and in 16 bits where the processor has no faster products in them; elsewhere the setting has no effect. The result is the same up to rounding; a layer&apos;s rounding error is up to three and a half times that of the plain sum. false: the plain sum over nine taps, as in other frameworks.</source>
        <translation>Winograd 算法：用于带 AVX2 的 CPU，且内存顺序为 channels last；适用于 fp32，以及处理器没有更快乘法的 16 位精度；其他情况下此设置不起作用。结果只相差舍入误差；单层的舍入误差最多为直接求和的 3.5 倍。false：直接对九个权重求和，与其他框架相同。</translation>
    </message>
    <message>
        <source>Use only kernels that give the same bits every time.</source>
        <translation>只使用每次都给出相同位的计算内核。</translation>
    </message>
    <message>
        <source>On the CPU this costs nothing, and runs are identical to the bit for any number of lanes. On a GPU some kernels are slower; when off, it tries several for each convolution and keeps the fastest.</source>
        <translation>在 CPU 上没有代价，任意通道数的运行逐位相同。在 GPU 上部分内核会更慢；关闭时会为每个卷积尝试多种内核并保留最快的。</translation>
    </message>
    <message>
        <source>stop: end the run with a checkpoint and report the update and micro-step. skip-update: leave the weights and the optimizer untouched, record the window as skipped and continue. skip-micro: leave out the micro-batch and divide by what remains.</source>
        <translation>stop：以检查点结束运行，并指出发生在哪次参数更新和哪个微步。skip-update：权重和优化器保持不变，将该累积窗口记为已跳过并继续。skip-micro：舍弃该微批次，并除以余下的数量。</translation>
    </message>
    <message>
        <source>Workers that compute micro-batches of one window in parallel; 0: automatic.</source>
        <translation>同时计算同一累积窗口中各微批次的工作单元；0：由程序选择。</translation>
    </message>
    <message>
        <source>Their gradients are added in the order of the micro-batches, whichever finishes first, so the result is the same to the bit for any number of lanes. For small models, lanes use the cores better than threads within one operation. Automatic: the first run of a study measures how many, and the library remembers it for studies of the same shape on this machine.</source>
        <translation>无论谁先完成，梯度都按微批次的顺序累加，因此任意通道数下的结果逐位相同。对于小模型，通道比单个运算内的线程更能利用各核心。自动：研究的第一次运行会测量该用几条通道，库会为这台机器上同样形状的研究记住结果。</translation>
    </message>
    <message>
        <source>Threads per lane; 0: automatic.</source>
        <translation>每个通道的线程数；0：由程序选择。</translation>
    </message>
    <message>
        <source>Used within single operations such as a large convolution. lanes x threads should not exceed the number of cores.</source>
        <translation>用于单个运算内部，例如较大的卷积。通道数 x 线程数不应超过核心数。</translation>
    </message>
    <message>
        <source>Maximum memory for tensors, for example &quot;2 GiB&quot;; empty for no limit.</source>
        <translation>张量占用内存的上限，例如 &quot;2 GiB&quot;；留空表示不限制。</translation>
    </message>
    <message>
        <source>Counted over all lanes; on a GPU only its own memory counts. Exceeding it is treated like running out of memory: see device.on_oom.</source>
        <translation>所有通道合计；在 GPU 上只计显存。超出部分按内存不足处理：见 device.on_oom。</translation>
    </message>
    <message>
        <source>resplit: compute the micro-batch that did not fit in smaller parts; the effective batch stays the same, and the run records it. stop: end the run with a checkpoint.</source>
        <translation>resplit：把放不下的微批次分成更小的部分计算；有效批大小不变。会随运行记录下来。stop：以检查点结束运行。</translation>
    </message>
    <message>
        <source>CUDA graphs: record micro-step and update once, then replay them.</source>
        <translation>CUDA 图：把微步和更新录制一次，然后重复执行。</translation>
    </message>
    <message>
        <source>On a GPU, small models spend their time waiting for kernels to be launched one by one. Two graphs avoid that: one holds a whole micro-step (data, forward, backward, accumulation), the other the end of a window (division, clipping, optimizer). They are replayed for any number of accumulation steps; each micro-batch size has its own, and a rare size (the short end of an epoch) gets it only when it occurs again. auto: wherever possible, which excludes lean accumulation, skip-micro, pooled BatchNorm, loss.kind = model, networks from a file that draw random numbers, ranks whose gradients meet in every micro-step, and data that are not in the GPU&apos;s memory. on: end the run where it is not possible. The CPU has no graphs.</source>
        <translation>在 GPU 上，小模型的时间耗在逐个启动内核上。两张图可以避免：一张包含整个微步（数据、前向、反向、累加），另一张是窗口的结尾（除法、裁剪、优化器）。任意累积步数都重复使用它们；每种微批次大小各有一张图，少见的大小（一轮末尾较短的微批次）在再次出现时才录制。auto：能用则用，以下情况除外：就地累积、skip-micro、pooled BatchNorm、loss.kind = model、会抽取随机数的文件网络、每个微步都要交换梯度的多 rank 训练，以及不在显存中的数据。on：不能用时结束运行。CPU 没有图。</translation>
    </message>
    <message>
        <source>Evaluations happen between updates and do not affect training. Their time is not counted as training time.</source>
        <translation>评估在两次参数更新之间进行，不改变训练的任何内容。其时间不计入训练时间。</translation>
    </message>
    <message>
        <source>A checkpoint holds the weights and everything needed to continue exactly where the run stopped. The last one is always written.</source>
        <translation>检查点包含权重以及从停止处准确继续所需的一切。最终检查点总会写入。</translation>
    </message>
    <message>
        <source>Periodic checkpoints to keep; older ones are deleted.</source>
        <translation>保留的定期检查点数；更早的会被删除。</translation>
    </message>
    <message>
        <source>The best, the last and the initial checkpoint are kept in addition. The last one of a run that was stopped counts as periodic once it goes on. 0 keeps one, like 1.</source>
        <translation>此外还保留最佳、最终和初始检查点。被停止的运行继续之后，其最终检查点算作周期检查点。0 与 1 相同，保留一个。</translation>
    </message>
    <message>
        <source>To prove that two runs started from the same weights, or to start another program from them.</source>
        <translation>用于证明两次运行的起点相同，或让另一个程序从相同的权重开始。</translation>
    </message>
    <message>
        <source>A name as in the checkpoint, for example conv1.weight. Its values do not change until the update, which is what accumulation means.</source>
        <translation>检查点中的名称，例如 conv1.weight。其值在参数更新之前保持不变：这正是累积的含义，在此可以看到。</translation>
    </message>
    <message>
        <source>Name shown in the library; if empty, the file&apos;s name.</source>
        <translation>在库中显示的名称；留空则用文件名。</translation>
    </message>
    <message>
        <source>Two studies may share a name.</source>
        <translation>两项研究可以同名。</translation>
    </message>
    <message>
        <source>A seed fixes the initial weights and the order of the samples. A verdict needs at least 3 seeds. If the true difference is zero, 5 seeds show equivalence within one standard deviation about three times in ten, 10 seeds eight times in ten.</source>
        <translation>种子决定初始权重和样本顺序。得出结论至少需要 3 个种子；若真实差异为零，以一个标准差为界限时，5 个种子约有十分之三的机会证明等价，10 个种子约有十分之八。</translation>
    </message>
    <message>
        <source>Also train each seed with the large batch, and compare.</source>
        <translation>每个种子同时用大批量训练一次，并进行对比。</translation>
    </message>
    <message>
        <source>The second arm has m = B and K = 1, the same initial weights and the same samples in each update. Whatever differs then is due to accumulation itself.</source>
        <translation>第二组取 m = B、K = 1，初始权重相同，每次参数更新的样本也相同。余下的差异就来自累积本身。</translation>
    </message>
    <message>
        <source>In the large-batch arm, BatchNorm works on groups of its partner&apos;s micro-batch size.</source>
        <translation>大批量组的 BatchNorm 按配对另一方的微批次大小分组计算。</translation>
    </message>
    <message>
        <source>The control that tells an effect of BatchNorm from an error of accumulation: with it, both arms have the same gradient. In models without BatchNorm it changes nothing.</source>
        <translation>用于区分 BatchNorm 的影响与累积错误的对照：采用它时两组的梯度相同。模型中没有 BatchNorm 时，它不改变任何内容。</translation>
    </message>
    <message>
        <source>The metric that the verdict is based on.</source>
        <translation>据以得出结论的唯一指标。</translation>
    </message>
    <message>
        <source>With validation samples, the best checkpoint is chosen on them and the test set serves for reporting only. Without them there is nothing to choose on: no best checkpoint is kept, and the best test accuracy is an optimistic figure.</source>
        <translation>有验证样本时，最佳检查点在其上选取，测试集只用于报告。没有验证样本时，就没有单独的集合可供选取：不保留最佳检查点，最佳测试准确率也会偏乐观。</translation>
    </message>
    <message>
        <source>apply: make an update from the samples it has, divided by their actual number. drop: its samples are left out. carry: the next epoch completes it, so every window has B samples. leak: a mistake from tutorials, kept for demonstration: the counter restarts but the accumulator is not cleared, so the next update holds these samples as well, and more than B. loss.normalise says what it is divided by.</source>
        <translation>apply：用其中的样本进行一次参数更新，除以实际样本数。drop：舍弃其样本。carry：由下一轮补足，使每个累积窗口都有 B 个样本。leak：教程中的错误，保留以供展示：计数器重新开始，但累加器没有清零，因此下一次参数更新也包含这些样本，超过 B 个。除以多少由 loss.normalise 决定。</translation>
    </message>
    <message>
        <source>Keep the weights that do best on the validation samples.</source>
        <translation>保留在验证样本上表现最好的权重。</translation>
    </message>
    <message>
        <source>Needs data.validation above 0. Without validation samples no best checkpoint is written: choosing on the test set would make its accuracy optimistic.</source>
        <translation>需要 data.validation 大于 0。没有验证样本时不写入最佳检查点：若按测试集选取，其准确率会偏乐观。</translation>
    </message>
    <message>
        <source>Ranks share</source>
        <translation>rank 之间分摊</translation>
    </message>
    <message>
        <source>Order of sums</source>
        <translation>求和顺序</translation>
    </message>
    <message>
        <source>Devices (ranks) that share a window, D.</source>
        <translation>共享一个累积窗口的设备（rank）数 D。</translation>
    </message>
    <message>
        <source>Each computes every D-th micro-step of the window. The workbench starts that many processes on this computer; `accumulus-cli run FILE --ranks 4` does the same. If this is 1, a run started by mpirun on several ranks uses their number: `mpirun -n 4 accumulus-cli run FILE`. parallel.mode sets how the ranks combine their gradients.</source>
        <translation>每个设备计算窗口中每 D 个微步之一。工作台会在本机启动同样数量的进程，`accumulus-cli run FILE --ranks 4` 也是如此。由 mpirun 在多个 rank 上启动的运行，在此值为 1 时采用 rank 的数量：`mpirun -n 4 accumulus-cli run FILE`。梯度如何汇合：见 parallel.mode。</translation>
    </message>
    <message>
        <source>What is divided among several ranks.</source>
        <translation>多个 rank 之间分摊什么。</translation>
    </message>
    <message>
        <source>ddp: every rank keeps everything; gradients are summed once per update. zero1: each rank keeps its part of the optimizer state, updates its part of the weights and gets the others&apos;. zero2: each rank also keeps only its part of the accumulated gradient, so gradients travel in every micro-step. The result is the same up to rounding; memory and traffic differ. The workbench and `accumulus-cli run --ranks N` start the ranks; so do mpirun and srun.</source>
        <translation>ddp：每个 rank 保存全部内容；梯度在每次参数更新时求和一次。zero1：每个 rank 只保存自己那部分优化器状态，更新自己那部分权重，并取得其余部分。zero2：每个 rank 还只保存自己那部分累积梯度，因此每个微步都要传输梯度。结果相同（舍入误差除外），内存和通信量不同。rank 可由工作台或 `accumulus-cli run --ranks N` 启动，也可用 mpirun 或 srun 启动。</translation>
    </message>
    <message>
        <source>Order in which the gradients of several ranks are added.</source>
        <translation>多个 rank 的梯度按什么顺序相加。</translation>
    </message>
    <message>
        <source>ranks: each rank adds up its own micro-steps, then these sums are added in the order of the ranks: the same bits every time, but other roundings for another number of ranks. micro-steps: in the order of the micro-steps, as one rank does it: the same bits for any number of ranks, at the cost of sending a gradient in every micro-step. On GPUs with zero1 or zero2, train.clip_norm may change the last bit.</source>
        <translation>ranks：每个 rank 先累加自己的微步，再按 rank 的顺序相加：每次结果逐位相同，但 rank 数不同时舍入不同。micro-steps：按微步的顺序相加，与单个 rank 一致：任意数量的 rank 结果逐位相同，代价是每个微步都要发送一次梯度。在 GPU 上使用 zero1 或 zero2 时，train.clip_norm 可能改变最后一个比特。</translation>
    </message>
    <message>
        <source>File or folder</source>
        <translation>文件或文件夹</translation>
    </message>
    <message>
        <source>Test file</source>
        <translation>测试文件</translation>
    </message>
    <message>
        <source>Target column</source>
        <translation>目标列</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表大小</translation>
    </message>
    <message>
        <source>Network file</source>
        <translation>网络文件</translation>
    </message>
    <message>
        <source>Weights from a file</source>
        <translation>来自文件的权重</translation>
    </message>
    <message>
        <source>Draw the last layer anew</source>
        <translation>重新初始化最后一层</translation>
    </message>
    <message>
        <source>Frozen parameters</source>
        <translation>冻结的参数</translation>
    </message>
    <message>
        <source>Hidden layers</source>
        <translation>隐藏层</translation>
    </message>
    <message>
        <source>File with the test samples; empty where data.path holds them too.</source>
        <translation>测试样本所在的文件；若 data.path 中已包含测试样本，则留空。</translation>
    </message>
    <message>
        <source>Column of a table that the model predicts.</source>
        <translation>表格中由模型预测的列。</translation>
    </message>
    <message>
        <source>Subtracted from the inputs: one number, or one for each channel; empty for nothing.</source>
        <translation>从输入中减去的值：一个数，或每个通道一个数；留空表示不减。</translation>
    </message>
    <message>
        <source>A channel is an index of the first dimension of a sample. The inputs are used as the file has them unless this or data.deviation is given: (x - mean) / deviation.</source>
        <translation>通道是样本第一个维度的下标。除非给出此项或 data.deviation，输入按文件中的原样使用：(x - mean) / deviation。</translation>
    </message>
    <message>
        <source>Divisor of the inputs: one number, or one for each channel; empty for 1.</source>
        <translation>输入所除以的值：一个数，或每个通道一个数；留空表示 1。</translation>
    </message>
    <message>
        <source>The standard deviation of the training inputs brings them to a common scale. Pixels of 0 to 255 become 0 to 1 with 255.</source>
        <translation>使用训练输入的标准差可将输入统一到同一尺度。设为 255 时，0 到 255 的像素值变为 0 到 1。</translation>
    </message>
    <message>
        <source>File of the network: a TorchScript module.</source>
        <translation>网络文件：TorchScript 模块。</translation>
    </message>
    <message>
        <source>Made in Python by torch.jit.script(net).save(&quot;net.pt&quot;), by accumulus_export, or, for a network without dropout and BatchNorm, by torch.jit.trace(net.eval(), example). It holds the network and its weights. What goes in and what comes out is found by trying it on the data.</source>
        <translation>在 Python 中由 torch.jit.script(net).save(&quot;net.pt&quot;)、accumulus_export 生成；若网络中没有 dropout 和 BatchNorm，也可由 torch.jit.trace(net.eval(), example) 生成。文件包含网络及其权重。其输入和输出的形式通过在数据上试算得出。</translation>
    </message>
    <message>
        <source>File of initial weights; empty to draw them.</source>
        <translation>初始权重的文件；留空则随机初始化。</translation>
    </message>
    <message>
        <source>safetensors, or a state dict that torch.save has written (.pt, .pth). Names are those of Python; a prefix that all of them have in common, such as &quot;module.&quot;, is left out. Nothing is loaded unless every parameter is found in its shape.</source>
        <translation>safetensors，或由 torch.save 写出的 state dict（.pt、.pth）。名称与 Python 中相同；所有名称共有的前缀（例如 &quot;module.&quot;）会被去掉。只有每个参数都能找到且形状相符时才会载入，否则一个也不载入。</translation>
    </message>
    <message>
        <source>Draw a new last layer if model.weights has it in another size.</source>
        <translation>若 model.weights 中最后一层的大小不同，则重新初始化该层。</translation>
    </message>
    <message>
        <source>Parameters that are not trained: patterns of their names; empty for none.</source>
        <translation>不参与训练的参数：其名称的匹配模式；留空表示没有。</translation>
    </message>
    <message>
        <source>Outputs of each hidden layer of an MLP.</source>
        <translation>MLP 各隐藏层的输出数。</translation>
    </message>
    <message>
        <source>[512, 512]: two hidden layers. [] is one linear layer. ReLU follows each hidden layer.</source>
        <translation>[512, 512]：两个隐藏层。[] 表示单个线性层。每个隐藏层之后接 ReLU。</translation>
    </message>
    <message>
        <source>What is minimised.</source>
        <translation>要最小化的目标。</translation>
    </message>
    <message>
        <source>cross-entropy: of classes and tokens; targets of -100 are ignored. mse, l1, huber: the squared, the absolute and the Huber distance of numbers. bce-with-logits: yes or no for each output. model: the network of a file returns its losses itself, one for each sample or token, or their sum and their count. All are sums over loss units that are divided once, so accumulation stays exact.</source>
        <translation>cross-entropy：用于类别和词元；目标为 -100 的不计入损失。mse、l1、huber：数值之间的平方距离、绝对距离和 Huber 距离。bce-with-logits：每个输出作是或否的判断。model：来自文件的网络自行返回损失，即每个样本或词元一个，或返回其总和与个数。所有损失都先对损失单位求和，再一次性相除，因此累积是精确的。</translation>
    </message>
    <message>
        <source>Distance at which the Huber loss turns from a square into a line.</source>
        <translation>Huber 损失由平方转为线性处的距离。</translation>
    </message>
    <message>
        <source>d^2 / 2 up to delta, delta (d - delta / 2) above it.</source>
        <translation>不超过 delta 时为 d^2 / 2，超过时为 delta (d - delta / 2)。</translation>
    </message>
    <message>
        <source>Weight of each class in the cross entropy; empty for 1.</source>
        <translation>交叉熵中各类别的权重；留空表示 1。</translation>
    </message>
    <message>
        <source>One number for each class. A window is divided by the sum of its samples&apos; weights, as PyTorch divides a batch, so every split gives rare classes their intended weight.</source>
        <translation>每个类别一个数。累积窗口除以其样本权重之和，与 PyTorch 对一个批次的除法相同，因此无论如何划分，稀有类别的权重都符合设定。</translation>
    </message>
    <message>
        <source>= the metric&apos;s own</source>
        <translation>= 该指标自身的默认值</translation>
    </message>
    <message>
        <source>mnist: handwritten digits of 28 x 28 pixels, bundled. fashion-mnist: clothes in the format of MNIST, read from data.path. cifar10: colour photos of 32 x 32 pixels, read from data.path. cifar100: colour photos of 100 classes, read from data.path. image-folder: one folder of PNG or JPEG files for each class, read from data.path. tinyshakespeare: a million characters of plays, bundled. text: a UTF-8 text, one token for each character, or tokens of 16 or 32 bits (.bin), read from data.path. digits-generated: drawn by the program, without any file. textures-generated: colour images drawn by the program, without any file. tensors: inputs and targets of any shape, read from an .npz or .safetensors file or from a folder of .npy files at data.path. table: rows of a CSV or TSV file with a header line, read from data.path. The sets that the program draws are handy for trying things out.</source>
        <translation>mnist：28 x 28 像素的手写数字，随程序提供。fashion-mnist：MNIST 格式的服装图像，从 data.path 读取。cifar10：32 x 32 像素的彩色照片，从 data.path 读取。cifar100：100 个类别的彩色照片，从 data.path 读取。image-folder：每个类别一个文件夹，内含 PNG 或 JPEG 文件，从 data.path 读取。tinyshakespeare：一百万个字符的剧本，随程序提供。text：UTF-8 文本（每个字符一个词元），或 16 位或 32 位的词元（.bin），从 data.path 读取。digits-generated：由程序绘制，不需要任何文件。textures-generated：由程序绘制的彩色图像，不需要任何文件。tensors：任意形状的输入和目标，从 data.path 处的 .npz 或 .safetensors 文件或含 .npy 文件的文件夹读取。table：带表头行的 CSV 或 TSV 文件中的各行，从 data.path 读取。由程序绘制的数据集适合试用。</translation>
    </message>
    <message>
        <source>Folder or file of the data set; empty for the bundled copy.</source>
        <translation>数据集的文件夹或文件；留空则使用内置副本。</translation>
    </message>
    <message>
        <source>Sets of images: the files may lie in the folder itself or in train/ and test/ below it, plain or gzipped. Text: a .txt file, a .bin file of tokens, or a folder with train.bin and val.bin. A table: a CSV or TSV file. The numbers of samples found are shown before training starts. Like all paths: in an experiment file a relative one starts at the folder of that file, elsewhere at the working directory; where another machine trains (--on HOST), at the home folder there.</source>
        <translation>图像数据集：文件可以在该文件夹本身或其下的 train/ 和 test/ 中，可为未压缩或 gzip 压缩。文本：.txt 文件、词元的 .bin 文件，或含 train.bin 和 val.bin 的文件夹。表格：CSV 或 TSV 文件。训练开始前会显示找到的样本数。所有路径均如此：实验文件中的相对路径以该文件所在的文件夹为起点，其他地方以工作目录为起点；由另一台计算机训练时（--on HOST），以那里的主目录为起点。</translation>
    </message>
    <message>
        <source>The same kind of file as data.path. Without test samples in either file, the validation samples (data.validation) take their place; for a text, its last tenth does.</source>
        <translation>与 data.path 的类型相同。若两个文件中都没有测试样本，则以验证样本（data.validation）代替；对于文本，以其最后十分之一代替。</translation>
    </message>
    <message>
        <source>Its name in the header line; all other columns are inputs. A column of words holds classes, in alphabetical order. Whole numbers from 0 to 9999 are classes with cross-entropy and numbers with mse, l1 and huber; other numbers need one of these three. bce-with-logits takes 0 and 1, or two words. Targets are not standardised, so errors are in the unit of the column.</source>
        <translation>表头行中的列名；其余各列都是输入。由单词组成的列表示类别，按字母顺序排列。0 到 9999 的整数在 cross-entropy 下为类别，在 mse、l1 和 huber 下为数值；其他数值须使用这三者之一。bce-with-logits 接受 0 和 1，或两个单词。目标不作标准化，因此误差以该列的单位表示。</translation>
    </message>
    <message>
        <source>Number of different tokens of a text or token file; 0 for as many as are found.</source>
        <translation>文本或词元文件中不同词元的数量；0 表示以实际找到的为准。</translation>
    </message>
    <message>
        <source>Found means the largest token in the files plus one, or the number of different characters in a text. To start from existing weights, use the vocabulary that they were trained with. Tokens have 16 bits, or 32 if this is above 65536 or the file looks like it.</source>
        <translation>实际找到的数量是：文件中最大的词元加一，或文本中不同字符的个数。若模型从给定的权重开始，则须使用训练这些权重时的词表大小。词元为 16 位；此值大于 65536 或文件看起来是 32 位时，为 32 位。</translation>
    </message>
    <message>
        <source>lenet5: two convolutions and three fully connected layers, about 62 thousand parameters. mlp: fully connected layers with ReLU, 670 thousand parameters for MNIST as it is. resnet18: a residual network with 11 million parameters. resnet50: a residual network with 24 million parameters. char-gpt: a transformer that writes text one character at a time. bert-mini: a transformer that fills in masked characters. file: your own: a TorchScript module, read from model.path. The BatchNorm layers of residual networks mix the samples of a micro-batch, so accumulation does not equal the large batch unless model.norm = group or the statistics are frozen. In the others no layer mixes the samples of a batch, so accumulation is exact.</source>
        <translation>lenet5：两个卷积层和三个全连接层，约 6.2 万个参数。mlp：带 ReLU 的全连接层，用于原样的 MNIST 时有 67 万个参数。resnet18：残差网络，1100 万个参数。resnet50：残差网络，2400 万个参数。char-gpt：逐个字符书写文本的 Transformer。bert-mini：填补被遮盖字符的 Transformer。file：您自己的网络，即从 model.path 读取的 TorchScript 模块。残差网络的 BatchNorm 层会混合同一微批次中的样本，因此除非 model.norm = group 或冻结统计量，累积与大批量并不相等。其余模型中没有任何一层混合批次内的样本，因此累积是精确的。</translation>
    </message>
    <message>
        <source>* stands for any characters and ? for one, as in [&quot;conv1.*&quot;, &quot;layer1.*&quot;]. Frozen parameters keep their bits, take no part in weight decay and need no memory for gradients. The running statistics of BatchNorm layers move all the same, as in PyTorch, unless numerics.batch_norm = frozen. How many are frozen is shown before training.</source>
        <translation>* 代表任意多个字符，? 代表一个字符，如 [&quot;conv1.*&quot;, &quot;layer1.*&quot;]。冻结的参数逐位保持不变，不参与权重衰减，也不需要梯度内存。除非 numerics.batch_norm = frozen，BatchNorm 层的滑动统计量仍会更新，与 PyTorch 相同。训练前会显示冻结了多少参数。</translation>
    </message>
    <message>
        <source>Equivalence margin, in the unit of the metric; 0 for the metric&apos;s default.</source>
        <translation>等价界限，以指标的单位表示；0 表示该指标的默认值。</translation>
    </message>
    <message>
        <source>The largest difference that you would still call equal, for example 0.005 for half a point of accuracy. The defaults: 0.002 of an accuracy (0.2 points) or of R2, and 1 % of the large batch&apos;s mean of a loss, an error or a perplexity. Fix it before the runs: it is stored with the time it was set.</source>
        <translation>您仍可视为相同的最大差异，例如 0.005 表示半个百分点的准确率。默认值：准确率为 0.002（0.2 个百分点），R2 为 0.002，损失、误差或困惑度为大批量均值的 1 %。请在运行之前确定：它会连同设定时间一起保存。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Huber threshold</source>
        <translation>Huber 阈值</translation>
    </message>
    <message>
        <source>Class weights</source>
        <translation>类别权重</translation>
    </message>
    <message>
        <source>For weights that were trained for other classes. Only parameters whose shape differs, or that the file lacks, are drawn; their names are shown before training. A network from a file keeps its own values there.</source>
        <translation>用于类别与权重训练时不同的网络。只有形状不同或文件中没有的参数会重新随机初始化，并在训练前列出。来自文件的网络在这些位置保留自己的值。</translation>
    </message>
    <message>
        <source>default: as is usual for the model: uniform within 1 / sqrt(fan-in) in lenet5 and mlp, normal in the convolutions of ResNets and in transformers. normal: Normal(0, model.init_std) with zero biases, as in some tutorials; very small weights delay the start of learning. Both arms of a pair start from the same weights. A network from a file starts from its own.</source>
        <translation>default：按该模型的惯例：lenet5 和 mlp 在 1 / sqrt(fan-in) 内均匀分布，ResNet 的卷积和 Transformer 为正态分布。normal：Normal(0, model.init_std)，偏置为零，如某些教程所用；过小的权重会推迟学习的开始。配对的两组从相同的权重开始。来自文件的网络从自己的权重开始。</translation>
    </message>
    <message>
        <source>Tuned for batch</source>
        <translation>针对的批大小</translation>
    </message>
    <message>
        <source>Rule for another batch</source>
        <translation>批大小改变时的规则</translation>
    </message>
    <message>
        <source>= this batch</source>
        <translation>= 本批大小</translation>
    </message>
    <message>
        <source>Effective batch that the learning rate was tuned for; 0: the batch of this run.</source>
        <translation>学习率所针对的有效批大小；0：本次运行的批大小。</translation>
    </message>
    <message>
        <source>A note that is kept with the run: training uses optimizer.lr as it stands and reads neither this setting nor optimizer.lr_rule. If the batch differs, the form and `run` offer rules for adapting the learning rate.</source>
        <translation>随运行保存的说明：训练直接使用 optimizer.lr，既不读取此设置，也不读取 optimizer.lr_rule。批大小不同时，表单和 `run` 会给出可选的规则。</translation>
    </message>
    <message>
        <source>How the learning rate came from optimizer.lr_batch to the batch of this run.</source>
        <translation>学习率如何从 optimizer.lr_batch 换算到本次运行的批大小。</translation>
    </message>
    <message>
        <source>keep: it is that of optimizer.lr_batch. linear: it was multiplied by k, the ratio of the two batches. square-root: by sqrt(k). A note that is kept with the run: optimizer.lr holds the result, and nothing is multiplied again. Choosing a rule in the form changes the learning rate there.</source>
        <translation>keep：沿用 optimizer.lr_batch 的学习率。linear：乘以两个批大小之比 k。square-root：乘以 sqrt(k)。随运行保存的说明：optimizer.lr 中已是结果，不会再乘一次。在表单中选择规则时，表单中的学习率随之改变。</translation>
    </message>
    <message>
        <source>auto takes the best device available, or the CPU if there is no usable GPU. cuda:N is GPU number N, counted from 0. Several ranks on one machine each take their own GPU, starting from that number; if there are too few, they share them. Run both arms of a pair on the same kind of device: kernels differ in rounding.</source>
        <translation>auto 采用找到的最佳设备，没有可用的 GPU 时为 CPU。cuda:N 为编号 N 的 GPU，从 0 开始。同一台机器上有多个 rank 时，从该编号起每个 rank 各用一块 GPU；GPU 不足时共用。一个配对的两组应在同类设备上运行：计算内核的舍入不同。</translation>
    </message>
    <message>
        <source>auto: the main metric for the loss, which is test_accuracy for cross-entropy and bce-with-logits, test_rmse for mse and huber, test_mae for l1, and test_loss for model; with data.validation the same on the validation samples, such as validation_accuracy. Accuracies lie between 0 and 1. test_accuracy and validation_accuracy belong to the final weights; best_test_accuracy and best_validation_accuracy are chosen after the fact and are therefore optimistic, for both arms alike. test_top5 needs more than 5 classes, test_perplexity a text.</source>
        <translation>auto：损失对应的主要指标，即 cross-entropy 和 bce-with-logits 为 test_accuracy，mse 和 huber 为 test_rmse，l1 为 test_mae，model 为 test_loss；设置了 data.validation 时为验证样本上的同一指标，例如 validation_accuracy。准确率在 0 和 1 之间。test_accuracy 和 validation_accuracy 是最终权重的准确率；best_test_accuracy 和 best_validation_accuracy 是事后选取的，因此对两组同样偏乐观。test_top5 需要 5 个以上的类别，test_perplexity 需要文本。</translation>
    </message>
    <message>
        <source>= this batch, %1</source>
        <translation>= 此批量，%1</translation>
    </message>
    <message>
        <source>= default, %1 of the mean</source>
        <translation>= 默认，均值的 %1</translation>
    </message>
    <message>
        <source>= default, %1</source>
        <translation>= 默认，%1</translation>
    </message>
    <message>
        <source>±%1 of the large batch&apos;s mean, the metric&apos;s default</source>
        <translation>±大批量均值的 %1，指标的默认值</translation>
    </message>
    <message>
        <source>±%1, the metric&apos;s default</source>
        <translation>±%1，指标的默认值</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>Something unexpected went wrong.</source>
        <translation>发生了意外错误。</translation>
    </message>
    <message>
        <source>{@reason}.</source>
        <translation>{@reason}。</translation>
    </message>
    <message>
        <source>Please report this with the log.</source>
        <translation>请附上日志报告此问题。</translation>
    </message>
    <message>
        <source>Unexpected failure in {@place}.</source>
        <translation>{@place}发生意外故障。</translation>
    </message>
    <message>
        <source>{file} cannot be opened.</source>
        <translation>无法打开 {file}。</translation>
    </message>
    <message>
        <source>Check the path and its permissions.</source>
        <translation>请检查路径及其权限。</translation>
    </message>
    <message>
        <source>{file} cannot be written.</source>
        <translation>无法写入 {file}。</translation>
    </message>
    <message>
        <source>Free some disk space, or choose a folder you may write to.</source>
        <translation>请释放一些空间，或选择您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>The experiment file {file} cannot be read.</source>
        <translation>无法读取实验文件 {file}。</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>请检查路径。</translation>
    </message>
    <message>
        <source>{file} is not valid TOML at line {line}, column {column}.</source>
        <translation>{file} 不是有效的 TOML：第 {line} 行，第 {column} 列。</translation>
    </message>
    <message>
        <source>Correct that line.</source>
        <translation>请更正该行。</translation>
    </message>
    <message>
        <source>There is no setting {key}{place}.</source>
        <translation>没有设置项 {key}{place}。</translation>
    </message>
    <message>
        <source>Did you mean {nearest}? `accumulus-cli fields` lists every setting.</source>
        <translation>您是否想用 {nearest}？`accumulus-cli fields` 会列出全部设置项。</translation>
    </message>
    <message>
        <source>{key} = {value} is not allowed{place}: {@reason}.</source>
        <translation>不允许 {key} = {value}{place}：{@reason}。</translation>
    </message>
    <message>
        <source>Allowed: {@allowed}.</source>
        <translation>允许：{@allowed}。</translation>
    </message>
    <message>
        <source>{what} is refused{place}: {@reason}.</source>
        <translation>{what} 不被接受{place}：{@reason}。</translation>
    </message>
    <message>
        <source>{@cure}.</source>
        <translation>{@cure}。</translation>
    </message>
    <message>
        <source>--set {text} is not of the form key=value.</source>
        <translation>--set {text} 不是 key=value 的形式。</translation>
    </message>
    <message>
        <source>Write, for example, --set batch.micro=16.</source>
        <translation>请写成例如 --set batch.micro=16。</translation>
    </message>
    <message>
        <source>Effective batch {effective} is not a multiple of micro-batch {micro}.</source>
        <translation>有效批大小 {effective} 不是微批次 {micro} 的整数倍。</translation>
    </message>
    <message>
        <source>One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples.</source>
        <translation>一个微步处理 {micro} x {devices} 个设备 = {perMicroStep} 个样本。</translation>
    </message>
    <message>
        <source>Use {upper} or {lower}, or set batch.ragged = &quot;weight&quot;.</source>
        <translation>请使用 {upper} 或 {lower}，或设置 batch.ragged = &quot;weight&quot;。</translation>
    </message>
    <message>
        <source>One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples, more than the effective batch {effective}.</source>
        <translation>一个微步处理 {micro} x {devices} 个设备 = {perMicroStep} 个样本，多于有效批大小 {effective}。</translation>
    </message>
    <message>
        <source>Lower batch.micro, or set batch.effective = {perMicroStep}.</source>
        <translation>请减小 batch.micro，或设置 batch.effective = {perMicroStep}。</translation>
    </message>
    <message>
        <source>Effective batch {effective}, which batch.ramp asks for from update {update} on, is not a multiple of micro-batch {micro}.</source>
        <translation>从第 {update} 次参数更新起 batch.ramp 要求的有效批大小 {effective} 不是微批次 {micro} 的整数倍。</translation>
    </message>
    <message>
        <source>One micro-step takes {micro} x {devices} device(s) = {perMicroStep} samples, more than the effective batch {effective} that batch.ramp asks for from update {update} on.</source>
        <translation>一个微步处理 {micro} x {devices} 个设备 = {perMicroStep} 个样本，多于从第 {update} 次参数更新起 batch.ramp 要求的有效批大小 {effective}。</translation>
    </message>
    <message>
        <source>Lower batch.micro, or use {perMicroStep} there.</source>
        <translation>请减小 batch.micro，或在那里使用 {perMicroStep}。</translation>
    </message>
    <message>
        <source>Micro-batch {micro} x {steps} accumulation steps x {devices} device(s) is {product}, not the effective batch {effective}.</source>
        <translation>微批次 {micro} x {steps} 个累积步数 x {devices} 个设备等于 {product}，而不是有效批大小 {effective}。</translation>
    </message>
    <message>
        <source>Set batch.steps = 0 to derive it ({derived}), or batch.effective = {product}.</source>
        <translation>请设置 batch.steps = 0 由程序推导（{derived}），或设置 batch.effective = {product}。</translation>
    </message>
    <message>
        <source>Effective batch {effective} is larger than the training set ({samples}).</source>
        <translation>有效批大小 {effective} 大于训练集（{samples}）。</translation>
    </message>
    <message>
        <source>Use at most {samples}.</source>
        <translation>最多使用 {samples}。</translation>
    </message>
    <message>
        <source>Use, for example, schedule.warmup = &quot;{suggested} updates&quot;.</source>
        <translation>例如使用 schedule.warmup = &quot;{suggested} updates&quot;。</translation>
    </message>
    <message>
        <source>The stored settings cannot be read.</source>
        <translation>无法读取保存的设置。</translation>
    </message>
    <message>
        <source>They were written by another version of the program, or the library file is damaged.</source>
        <translation>它们由程序的另一个版本写入，或库文件已损坏。</translation>
    </message>
    <message>
        <source>{key} = {value} cannot be combined with {@other}.</source>
        <translation>{key} = {value} 与 {@other} 不能同时使用。</translation>
    </message>
    <message>
        <source>{run} has no {kind} checkpoint to export.</source>
        <translation>{run} 没有可导出的 {kind} 检查点。</translation>
    </message>
    <message>
        <source>The library holds no checkpoint of that kind for this run.</source>
        <translation>库中没有此运行的这类检查点。</translation>
    </message>
    <message>
        <source>Choose another checkpoint. Initial weights are kept with checkpoint.initial = true, the best ones with checkpoint.best = true and data.validation above 0; they are never chosen on the test set.</source>
        <translation>请选择另一个检查点。设置 checkpoint.initial = true 会保留初始权重；设置 checkpoint.best = true 且 data.validation 大于 0 会保留最佳权重，因为最佳权重从不在测试集上选取。</translation>
    </message>
    <message>
        <source>It is not clear what to compare.</source>
        <translation>不清楚要对比什么。</translation>
    </message>
    <message>
        <source>For example `accumulus-cli compare STUDY` or `accumulus-cli compare --a RUN RUN --b RUN RUN`.</source>
        <translation>例如 `accumulus-cli compare STUDY` 或 `accumulus-cli compare --a RUN RUN --b RUN RUN`。</translation>
    </message>
    <message>
        <source>The library has no run or study {text}.</source>
        <translation>库中没有运行或研究 {text}。</translation>
    </message>
    <message>
        <source>`accumulus-cli list` shows what there is; the first 4 characters of an id are enough.</source>
        <translation>`accumulus-cli list` 会列出现有内容；ID 可缩短为前 4 个字符。</translation>
    </message>
    <message>
        <source>Study {study} cannot be compared.</source>
        <translation>研究 {study} 无法对比。</translation>
    </message>
    <message>
        <source>It has no completed {missing} run.</source>
        <translation>它没有已完成的 {missing} 运行。</translation>
    </message>
    <message>
        <source>Run it with study.large_batch = true, or name two groups with --a and --b.</source>
        <translation>请以 study.large_batch = true 运行，或用 --a 和 --b 指定两组。</translation>
    </message>
    <message>
        <source>{checkpoint} does not reproduce the values recorded for it.</source>
        <translation>{checkpoint} 没有得到为其记录的结果。</translation>
    </message>
    <message>
        <source>The weights, the data or the program differ from those of the run.</source>
        <translation>权重、数据或程序与该次运行不一致。</translation>
    </message>
    <message>
        <source>Compare this environment with the run&apos;s; `accumulus-cli report RUN --out report.html` shows it.</source>
        <translation>请比较该次运行的环境与当前环境；`accumulus-cli report RUN --out report.html` 会显示它。</translation>
    </message>
    <message>
        <source>Group {group} holds no run.</source>
        <translation>组 {group} 中没有运行。</translation>
    </message>
    <message>
        <source>A comparison needs runs on both sides.</source>
        <translation>对比的两边都需要有运行。</translation>
    </message>
    <message>
        <source>Choose at least one run for each group.</source>
        <translation>请为每组至少选择一次运行。</translation>
    </message>
    <message>
        <source>There is no metric {metric} to compare by.</source>
        <translation>没有可用于对比的指标 {metric}。</translation>
    </message>
    <message>
        <source>The equivalence margin cannot be {margin}.</source>
        <translation>等价界限不能为 {margin}。</translation>
    </message>
    <message>
        <source>It is a distance from zero.</source>
        <translation>界限是到零的距离。</translation>
    </message>
    <message>
        <source>Give a positive number in the unit of the metric, for example 0.005 for half a point of accuracy.</source>
        <translation>请以指标的单位给出一个正数，例如 0.005 表示半个百分点的准确率。</translation>
    </message>
    <message>
        <source>A report cannot be saved as {file}.</source>
        <translation>无法将报告写为 {file}。</translation>
    </message>
    <message>
        <source>The suffix of the name decides its format.</source>
        <translation>报告格式取决于文件名后缀。</translation>
    </message>
    <message>
        <source>Use a name that ends in .html or .md.</source>
        <translation>请使用以 .html 或 .md 结尾的文件名。</translation>
    </message>
    <message>
        <source>There is no report to save.</source>
        <translation>没有可保存的报告。</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>没有选中任何内容。</translation>
    </message>
    <message>
        <source>Select a run or a comparison.</source>
        <translation>请选择一次运行或一个对比。</translation>
    </message>
    <message>
        <source>There is no {file} (plain or .gz) in {folder}.</source>
        <translation>{folder} 中没有 {file}（未压缩或 .gz）。</translation>
    </message>
    <message>
        <source>Check data.path.</source>
        <translation>请检查 data.path。</translation>
    </message>
    <message>
        <source>{file} is not the expected IDX file (byte {offset}).</source>
        <translation>{file} 不是所需的 IDX 文件（字节 {offset}）。</translation>
    </message>
    <message>
        <source>Download the file again, or correct data.path.</source>
        <translation>请重新获取该文件，或更正 data.path。</translation>
    </message>
    <message>
        <source>{file} has an impossible header (byte {offset}).</source>
        <translation>{file} 的文件头不可能成立（字节 {offset}）。</translation>
    </message>
    <message>
        <source>Download the file again.</source>
        <translation>请重新获取该文件。</translation>
    </message>
    <message>
        <source>{file} ends too early, at byte {offset}.</source>
        <translation>{file} 过早结束，位于字节 {offset}。</translation>
    </message>
    <message>
        <source>Download the file again; the last download was probably cut off.</source>
        <translation>请重新获取该文件；下载很可能中途断开了。</translation>
    </message>
    <message>
        <source>{file} is longer than its header says (byte {offset}).</source>
        <translation>{file} 比其声明的更长（字节 {offset}）。</translation>
    </message>
    <message>
        <source>The images and labels do not belong together.</source>
        <translation>图像与标签不匹配。</translation>
    </message>
    <message>
        <source>There are {imageCount} images in {images} but {labelCount} labels in {labels}.</source>
        <translation>{images} 中有 {imageCount} 幅图像，而 {labels} 中有 {labelCount} 个标签。</translation>
    </message>
    <message>
        <source>Use files of the same set.</source>
        <translation>请使用同一数据集的文件。</translation>
    </message>
    <message>
        <source>{file} has a label out of range at byte {offset}.</source>
        <translation>{file} 在字节 {offset} 处有超出范围的标签。</translation>
    </message>
    <message>
        <source>The label is {label}; the largest class is {largest}.</source>
        <translation>该标签为 {label}，最大类别为 {largest}。</translation>
    </message>
    <message>
        <source>Use the labels of this data set, or download the file again.</source>
        <translation>请使用此数据集的标签，或重新获取该文件。</translation>
    </message>
    <message>
        <source>The training set of {dataset} is too small.</source>
        <translation>{dataset} 的训练集太小。</translation>
    </message>
    <message>
        <source>It has {samples} samples, and data.validation takes {validation} of them.</source>
        <translation>它有 {samples} 个样本，而 data.validation 取走 {validation} 个。</translation>
    </message>
    <message>
        <source>Use fewer validation samples.</source>
        <translation>请减少验证样本。</translation>
    </message>
    <message>
        <source>The training and test images of {dataset} differ in size.</source>
        <translation>{dataset} 的训练图像和测试图像大小不同。</translation>
    </message>
    <message>
        <source>They have {train} and {test} pixels.</source>
        <translation>它们分别为 {train} 和 {test} 像素。</translation>
    </message>
    <message>
        <source>Use files of the same set, or set data.resize.</source>
        <translation>请使用同一数据集的文件，或设置 data.resize。</translation>
    </message>
    <message>
        <source>There is no data set {dataset}.</source>
        <translation>没有数据集 {dataset}。</translation>
    </message>
    <message>
        <source>`accumulus-cli fields` lists the data sets.</source>
        <translation>`accumulus-cli fields` 会列出各数据集。</translation>
    </message>
    <message>
        <source>The data set {dataset} does not fit into memory.</source>
        <translation>数据集 {dataset} 太大，无法保存在内存中。</translation>
    </message>
    <message>
        <source>It takes more than 16 GiB: {samples} images of {bytes} bytes.</source>
        <translation>它超过 16 GiB：{samples} 幅各 {bytes} 字节的图像。</translation>
    </message>
    <message>
        <source>Set data.train_limit and data.test_limit, or a smaller data.resize.</source>
        <translation>请设置 data.train_limit 和 data.test_limit，或使用更小的 data.resize。</translation>
    </message>
    <message>
        <source>Memory ran out while loading the data set {dataset}.</source>
        <translation>载入数据集 {dataset} 时内存不足。</translation>
    </message>
    <message>
        <source>Data sets are held in memory, one byte per pixel and channel.</source>
        <translation>数据集保存在内存中，每个像素的每个颜色通道占一个字节。</translation>
    </message>
    <message>
        <source>Set data.train_limit, or a smaller data.resize.</source>
        <translation>请设置 data.train_limit，或使用更小的 data.resize。</translation>
    </message>
    <message>
        <source>CIFAR-10 was not found.</source>
        <translation>未找到 CIFAR-10。</translation>
    </message>
    <message>
        <source>Check data.path and the file&apos;s permissions.</source>
        <translation>请检查 data.path 和文件的权限。</translation>
    </message>
    <message>
        <source>Unpack the file, or download it again.</source>
        <translation>请解压该文件，或重新获取它。</translation>
    </message>
    <message>
        <source>The image folder was not found.</source>
        <translation>未找到图像文件夹。</translation>
    </message>
    <message>
        <source>Set data.path to a folder with train/CLASS/*.png and test/CLASS/*.png, or with CLASS/*.png alone; .jpg and .jpeg files are read too.</source>
        <translation>请将 data.path 设为包含 train/CLASS/*.png 和 test/CLASS/*.png 的文件夹，或只包含 CLASS/*.png 的文件夹；也会读取 .jpg 和 .jpeg 文件。</translation>
    </message>
    <message>
        <source>{folder} cannot be used as a set of images.</source>
        <translation>{folder} 不能用作图像集。</translation>
    </message>
    <message>
        <source>Use train/CLASS/*.png and test/CLASS/*.png, or only CLASS/*.png; the last tenth of each class then becomes the test set. Files ending in .jpg and .jpeg are read too.</source>
        <translation>布局为 train/CLASS/*.png 和 test/CLASS/*.png，或只有 CLASS/*.png，此时每个类的最后十分之一作为测试集；也读取 .jpg 和 .jpeg 文件。</translation>
    </message>
    <message>
        <source>{file} cannot be read as an image.</source>
        <translation>无法将 {file} 作为图像读取。</translation>
    </message>
    <message>
        <source>Replace the file, or remove it from the folder.</source>
        <translation>请替换该文件，或将其移出文件夹。</translation>
    </message>
    <message>
        <source>{file} differs in size from the first image.</source>
        <translation>{file} 与第一幅图像的大小不同。</translation>
    </message>
    <message>
        <source>It has {size} pixels; the first has {first}.</source>
        <translation>它为 {size} 像素，第一幅为 {first} 像素。</translation>
    </message>
    <message>
        <source>Set data.resize, for example to 32, to make all images square and equal, or remove the file.</source>
        <translation>请设置 data.resize，例如设为 32，这会把所有图像变为正方形；或将该文件移出。</translation>
    </message>
    <message>
        <source>There is no text at {path}.</source>
        <translation>{path} 处没有文本。</translation>
    </message>
    <message>
        <source>{file} cannot be read.</source>
        <translation>无法读取 {file}。</translation>
    </message>
    <message>
        <source>Check data.path and the file&apos;s permissions. A text may have up to 1 GiB.</source>
        <translation>请检查 data.path 和文件的权限。文本最大可为 1 GiB。</translation>
    </message>
    <message>
        <source>{file} is not plain text: there is a zero byte at byte {offset}.</source>
        <translation>{file} 不是纯文本：字节 {offset} 处有一个零字节。</translation>
    </message>
    <message>
        <source>It is a binary or compressed file, or it is encoded in UTF-16.</source>
        <translation>它是二进制文件或压缩文件，或以 UTF-16 编码。</translation>
    </message>
    <message>
        <source>Unpack it, or save it as UTF-8.</source>
        <translation>请将其解压，或另存为 UTF-8。</translation>
    </message>
    <message>
        <source>{file} is too short.</source>
        <translation>{file} 太短。</translation>
    </message>
    <message>
        <source>There is no model {model}.</source>
        <translation>没有模型 {model}。</translation>
    </message>
    <message>
        <source>`accumulus-cli fields` lists the models.</source>
        <translation>`accumulus-cli fields` 会列出各模型。</translation>
    </message>
    <message>
        <source>{key} = {value} does not fit {model}.</source>
        <translation>{key} = {value} 不适用于 {model}。</translation>
    </message>
    <message>
        <source>The checkpoint {file} cannot be read.</source>
        <translation>无法读取检查点 {file}。</translation>
    </message>
    <message>
        <source>{file} is not a usable safetensors file.</source>
        <translation>{file} 不是可用的 safetensors 文件。</translation>
    </message>
    <message>
        <source>Use another checkpoint of the run; `accumulus-cli verify RUN` names the newest.</source>
        <translation>请使用该运行的另一个检查点；`accumulus-cli verify RUN` 会指出最新的一个。</translation>
    </message>
    <message>
        <source>{file} does not belong to this run.</source>
        <translation>{file} 不属于此运行。</translation>
    </message>
    <message>
        <source>Use a checkpoint of the same model and precision.</source>
        <translation>请使用相同模型和精度的检查点。</translation>
    </message>
    <message>
        <source>The learning rate is probably too large, or the data hold extreme values.</source>
        <translation>学习率可能过大，或数据含有极端值。</translation>
    </message>
    <message>
        <source>Lower optimizer.lr, add warm-up or clipping, or set numerics.nonfinite = &quot;skip-update&quot;.</source>
        <translation>请减小 optimizer.lr，加入预热或裁剪，或设置 numerics.nonfinite = &quot;skip-update&quot;。</translation>
    </message>
    <message>
        <source>{windows} windows in a row had no finite gradient.</source>
        <translation>连续 {windows} 个累积窗口都没有有限的梯度。</translation>
    </message>
    <message>
        <source>Skipping no longer helps.</source>
        <translation>继续跳过已无济于事。</translation>
    </message>
    <message>
        <source>Lower optimizer.lr, or resume from an earlier checkpoint.</source>
        <translation>请减小 optimizer.lr，或从更早的检查点继续。</translation>
    </message>
    <message>
        <source>An effective batch of {effective} cannot be cut into parts of two samples or more.</source>
        <translation>有效批大小 {effective} 无法分成每份至少两个样本的若干份。</translation>
    </message>
    <message>
        <source>Its parts are compared here, and one of this network&apos;s BatchNorm layers cannot normalise a single sample.</source>
        <translation>这里要比较它的各份，而这个网络的某个 BatchNorm 层无法对单个样本做归一化。</translation>
    </message>
    <message>
        <source>Set batch.effective to 4 or more, or numerics.batch_norm = &quot;frozen&quot;.</source>
        <translation>请将 batch.effective 设为 4 或更大，或设置 numerics.batch_norm = &quot;frozen&quot;。</translation>
    </message>
    <message>
        <source>{model} cannot be trained with micro-batches of one sample.</source>
        <translation>{model} 无法用只有一个样本的微批次训练。</translation>
    </message>
    <message>
        <source>One of its BatchNorm layers would see a single value, which has no variance; groups of {group} leave such a remainder.</source>
        <translation>它的某个 BatchNorm 层只会看到单个值，而单个值没有方差；每组 {group} 个会留下这样的余数。</translation>
    </message>
    <message>
        <source>Choose a micro-batch that divides the effective batch and the epoch without a remainder of one, or set data.drop_last = true, model.norm = &quot;group&quot; or numerics.batch_norm = &quot;frozen&quot;.</source>
        <translation>请选择一个微批次，使它划分有效批大小和每轮样本时都不会余下一个样本，或设置 data.drop_last = true、model.norm = &quot;group&quot; 或 numerics.batch_norm = &quot;frozen&quot;。</translation>
    </message>
    <message>
        <source>There is no parameter {parameter} to probe.</source>
        <translation>没有可探测的参数 {parameter}。</translation>
    </message>
    <message>
        <source>The model&apos;s parameters run from {first} to {last}.</source>
        <translation>模型的参数从 {first} 到 {last}。</translation>
    </message>
    <message>
        <source>Use a name as it appears in a checkpoint, or leave probe.parameter empty.</source>
        <translation>请使用检查点中的名称，或将 probe.parameter 留空。</translation>
    </message>
    <message>
        <source>{kind} cannot be used: there is no GPU to train on.</source>
        <translation>无法使用 {kind}：没有可用于训练的 GPU。</translation>
    </message>
    <message>
        <source>Set device.kind = &quot;auto&quot;, which falls back to the CPU, or &quot;cpu&quot;. A GPU needs NVIDIA driver 580 or newer and a build of the preset cuda.</source>
        <translation>设置 device.kind = &quot;auto&quot;（此时使用 CPU）或 &quot;cpu&quot;。使用 GPU 需要 580 或更新的 NVIDIA 驱动，以及 cuda 预设的构建。</translation>
    </message>
    <message>
        <source>There is no {kind} in this machine.</source>
        <translation>本机没有 {kind}。</translation>
    </message>
    <message>
        <source>It has {count} usable GPU(s); the last one is {last}.</source>
        <translation>可用 GPU 共 {count} 个，最后一个是 {last}。</translation>
    </message>
    <message>
        <source>Set device.kind = &quot;{last}&quot; or &quot;auto&quot;.</source>
        <translation>设置 device.kind = &quot;{last}&quot; 或 &quot;auto&quot;。</translation>
    </message>
    <message>
        <source>The micro-step cannot be recorded as a CUDA graph, which device.capture = &quot;on&quot; asks for.</source>
        <translation>微步无法录制为 CUDA 图，而 device.capture = &quot;on&quot; 要求这样做。</translation>
    </message>
    <message>
        <source>Set device.capture = &quot;auto&quot; or &quot;off&quot;.</source>
        <translation>设置 device.capture = &quot;auto&quot; 或 &quot;off&quot;。</translation>
    </message>
    <message>
        <source>The model does not fit into memory.</source>
        <translation>模型放不进内存。</translation>
    </message>
    <message>
        <source>{file} changed while it was being read.</source>
        <translation>{file} 在读取期间被更改。</translation>
    </message>
    <message>
        <source>Start again when no program writes to it any longer. If its content is as before, a run that has already trained can continue with `resume`.</source>
        <translation>请在不再有程序写入它之后重新开始。已在训练的运行，只要内容与原来相同，就可用 `resume` 继续。</translation>
    </message>
    <message>
        <source>The data of run {run} are not what it was trained on.</source>
        <translation>运行 {run} 的数据已不是它训练时所用的数据。</translation>
    </message>
    <message>
        <source>Restore the data: gradients on other data would say nothing about the run.</source>
        <translation>请恢复数据：用别的数据得到的梯度不能说明这个运行的任何情况。</translation>
    </message>
    <message>
        <source>None of the {samples} samples of a window has a target that counts.</source>
        <translation>一个累积窗口的 {samples} 个样本没有任何计入损失的目标。</translation>
    </message>
    <message>
        <source>All their targets are -100, so there is no gradient to compare.</source>
        <translation>它们的目标全部是 -100，因此没有可比较的梯度。</translation>
    </message>
    <message>
        <source>Raise batch.effective, or set data.shuffle = true so that other samples come together.</source>
        <translation>请调大 batch.effective，或设置 data.shuffle = true，使其他样本组合在一起。</translation>
    </message>
    <message>
        <source>{windows} windows in a row had no finite gradient: numerics.loss_scale = {scale} pushes them beyond the range of fp16.</source>
        <translation>连续 {windows} 个累积窗口都没有有限的梯度：numerics.loss_scale = {scale} 使它们超出 fp16 的范围。</translation>
    </message>
    <message>
        <source>A fixed scale is not lowered after an overflow.</source>
        <translation>固定的缩放系数在溢出后不会降低。</translation>
    </message>
    <message>
        <source>Set numerics.loss_scale = &quot;dynamic&quot;, or a smaller number.</source>
        <translation>请设置 numerics.loss_scale = &quot;dynamic&quot;，或更小的数。</translation>
    </message>
    <message>
        <source>data.drop_last = true drops all {samples} training samples.</source>
        <translation>data.drop_last = true 会丢弃全部 {samples} 个训练样本。</translation>
    </message>
    <message>
        <source>It keeps a multiple of {multiple} samples (data.drop_multiple or, if that is 0, the micro-batch).</source>
        <translation>它只保留 {multiple} 的整数倍个样本：即 data.drop_multiple，若其为 0 则为微批次大小。</translation>
    </message>
    <message>
        <source>Set data.drop_multiple to {samples} at most, use a smaller micro-batch, or set data.drop_last = false.</source>
        <translation>请将 data.drop_multiple 设为不超过 {samples}，使用更小的微批次，或设置 data.drop_last = false。</translation>
    </message>
    <message>
        <source>its size or content has changed since it was opened</source>
        <translation>它的大小或内容与打开时不同</translation>
    </message>
    <message>
        <source>a part of it can no longer be read</source>
        <translation>其中一部分已无法读取</translation>
    </message>
    <message>
        <source>the tensor {parameter} repeats its elements (stride 0). Save it after tensor.contiguous()</source>
        <translation>张量 {parameter} 重复使用其元素（步幅为 0）。请在 tensor.contiguous() 之后保存</translation>
    </message>
    <message>
        <source>it holds a tensor whose sign or conjugate PyTorch has not written out. Save it after tensor.resolve_neg() and tensor.resolve_conj()</source>
        <translation>其中有一个张量，PyTorch 尚未实际写出它的负号或共轭。请在 tensor.resolve_neg() 和 tensor.resolve_conj() 之后保存</translation>
    </message>
    <message>
        <source>fp32, in which the loss is multiplied, cannot hold it</source>
        <translation>损失以 fp32 相乘，而 fp32 无法表示它</translation>
    </message>
    <message>
        <source>its {#parameters} parameters take {needed} with gradients and the optimizer&apos;s state, {@room}</source>
        <translation>它的 {#parameters} 个参数连同梯度和优化器状态需要 {needed}，{@room}</translation>
    </message>
    <message>
        <source>its {#parameters} parameters take {needed} with gradients and the optimizer&apos;s state, {@room}; most of them belong to the last layer, which has an output for each of {#classes} classes</source>
        <translation>它的 {#parameters} 个参数连同梯度和优化器状态需要 {needed}，{@room}；其中大部分属于最后一层，它为 {#classes} 个类别各有一个输出</translation>
    </message>
    <message>
        <source>the weights, the gradients of {lanes} lanes and the optimizer&apos;s state take {needed}, {@room}</source>
        <translation>权重、{lanes} 条通道的梯度和优化器状态需要 {needed}，{@room}</translation>
    </message>
    <message>
        <source>Use a smaller network; batch.lean = true saves one copy of the gradient, optimizer.name = &quot;sgd&quot; without momentum the optimizer&apos;s state</source>
        <translation>请使用更小的网络；batch.lean = true 可省去一份梯度副本，不带动量的 optimizer.name = &quot;sgd&quot; 可省去优化器状态</translation>
    </message>
    <message>
        <source>Check the targets: the largest is {#largest}; where that is right, use narrower layers before the last one</source>
        <translation>请检查目标：最大的是 {#largest}；若这没有错，请缩窄最后一层之前的层</translation>
    </message>
    <message>
        <source>Check the tokens and data.vocabulary: the largest token may be {#largest}; where that is right, use a smaller model.width</source>
        <translation>请检查词元和 data.vocabulary：最大的词元可达 {#largest}；若这没有错，请使用更小的 model.width</translation>
    </message>
    <message>
        <source>Not equivalent: no gradient arrived, it is zero in every tensor. It was probably cleared before it was recorded</source>
        <translation>不等价：没有梯度到达，每个张量中都是零。它很可能在记录之前就被清零了</translation>
    </message>
    <message>
        <source>Training broke down at update {update}: samples are not finite (micro-step {microStep} of {microSteps}).</source>
        <translation>训练在第 {update} 次参数更新处失败：样本非有限（微步 {microStep} / {microSteps}）。</translation>
    </message>
    <message>
        <source>They hold values outside the range of numerics.precision.</source>
        <translation>其中有超出 numerics.precision 所能表示范围的值。</translation>
    </message>
    <message>
        <source>Look for wrong values in the data, scale the inputs (data.mean, data.deviation), or set numerics.precision = &quot;fp64&quot;.</source>
        <translation>请查找数据中的错误值，对输入做缩放（data.mean、data.deviation），或设置 numerics.precision = &quot;fp64&quot;。</translation>
    </message>
    <message>
        <source>Memory ran out during training.</source>
        <translation>训练时内存不足。</translation>
    </message>
    <message>
        <source>Use a smaller micro-batch (the effective batch stays the same) or fewer lanes.</source>
        <translation>请使用更小的微批次（有效批大小不变）或更少的通道。</translation>
    </message>
    <message>
        <source>{device} cannot be used.</source>
        <translation>无法使用 {device}。</translation>
    </message>
    <message>
        <source>Set device.kind = &quot;auto&quot;, which takes a newer GPU or the CPU.</source>
        <translation>请设置 device.kind = &quot;auto&quot;，它会选用较新的 GPU 或 CPU。</translation>
    </message>
    <message>
        <source>The network needs an operator that is not deterministic on this device.</source>
        <translation>网络需要的某个算子在此设备上没有确定性的实现。</translation>
    </message>
    <message>
        <source>Set numerics.deterministic = false, or train on the CPU.</source>
        <translation>请设置 numerics.deterministic = false，或在 CPU 上训练。</translation>
    </message>
    <message>
        <source>The tensor library failed during training.</source>
        <translation>张量库在训练时失败。</translation>
    </message>
    <message>
        <source>The library {file} cannot be opened.</source>
        <translation>无法打开库 {file}。</translation>
    </message>
    <message>
        <source>Check the path and its permissions, or choose another library.</source>
        <translation>请检查路径及其权限，或选择另一个库。</translation>
    </message>
    <message>
        <source>The library {file} was written by a newer version of Accumulus.</source>
        <translation>库 {file} 由更新版本的 Accumulus 创建。</translation>
    </message>
    <message>
        <source>It has version {version}; this program reads versions up to {known}.</source>
        <translation>其版本为 {version}；本程序最高支持版本 {known}。</translation>
    </message>
    <message>
        <source>Update Accumulus, or choose another library.</source>
        <translation>请更新 Accumulus，或选择另一个库。</translation>
    </message>
    <message>
        <source>The library {file} was written by an older version of Accumulus.</source>
        <translation>库 {file} 由较旧版本的 Accumulus 创建。</translation>
    </message>
    <message>
        <source>It has version {version}; this program reads version {known}.</source>
        <translation>其版本为 {version}；本程序读取版本 {known}。</translation>
    </message>
    <message>
        <source>Open it once where it is writable; that upgrades it.</source>
        <translation>请在可写入的位置打开它一次：届时会自动升级。</translation>
    </message>
    <message>
        <source>{file} is not an Accumulus library.</source>
        <translation>{file} 不是 Accumulus 的库。</translation>
    </message>
    <message>
        <source>Choose another file. This one was not changed.</source>
        <translation>请选择另一个文件。此文件未被更改。</translation>
    </message>
    <message>
        <source>The library {file} is damaged.</source>
        <translation>库 {file} 已损坏。</translation>
    </message>
    <message>
        <source>Restore a backup, or recover what is readable with: sqlite3 FILE .recover | sqlite3 NEW. Checkpoints are separate files beside it.</source>
        <translation>请恢复一个副本，或用以下命令抢救可保存的内容：sqlite3 FILE .recover | sqlite3 NEW。检查点位于其旁边，是独立的文件。</translation>
    </message>
    <message>
        <source>The library {file} is in use.</source>
        <translation>库 {file} 正在使用中。</translation>
    </message>
    <message>
        <source>Another process has been writing to it for too long.</source>
        <translation>另一个进程占用写入的时间过长。</translation>
    </message>
    <message>
        <source>Wait until it has finished, then try again.</source>
        <translation>请等它结束，然后重试。</translation>
    </message>
    <message>
        <source>The disk that holds the library {file} is full.</source>
        <translation>库 {file} 所在的磁盘已满。</translation>
    </message>
    <message>
        <source>Free some disk space, then try again.</source>
        <translation>请释放一些空间，然后重试。</translation>
    </message>
    <message>
        <source>The library {file} cannot be read.</source>
        <translation>无法读取库 {file}。</translation>
    </message>
    <message>
        <source>Check the disk and the file&apos;s permissions.</source>
        <translation>请检查磁盘和文件的权限。</translation>
    </message>
    <message>
        <source>The library {file} cannot be written.</source>
        <translation>无法写入库 {file}。</translation>
    </message>
    <message>
        <source>{folder} cannot be removed.</source>
        <translation>无法删除 {folder}。</translation>
    </message>
    <message>
        <source>The library has no run {run}.</source>
        <translation>库中没有运行 {run}。</translation>
    </message>
    <message>
        <source>Several runs begin with {run}.</source>
        <translation>有多个运行以 {run} 开头。</translation>
    </message>
    <message>
        <source>They are {candidates}.</source>
        <translation>它们是 {candidates}。</translation>
    </message>
    <message>
        <source>Give more characters of the id.</source>
        <translation>请给出 ID 的更多字符。</translation>
    </message>
    <message>
        <source>Run {name} ({run}) is training or waits for its turn.</source>
        <translation>运行 {name}（{run}）正在训练或等待训练。</translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation>请先停止它。</translation>
    </message>
    <message>
        <source>The library has no study {study}.</source>
        <translation>库中没有研究 {study}。</translation>
    </message>
    <message>
        <source>`accumulus-cli list` shows what there is.</source>
        <translation>`accumulus-cli list` 会列出现有内容。</translation>
    </message>
    <message>
        <source>Run {run} cannot be resumed.</source>
        <translation>运行 {run} 无法继续。</translation>
    </message>
    <message>
        <source>It is {state}.</source>
        <translation>其状态为 {state}。</translation>
    </message>
    <message>
        <source>Only stopped, interrupted and failed runs can be resumed.</source>
        <translation>只有已停止、已中断和失败的运行可以继续。</translation>
    </message>
    <message>
        <source>It is in the Trash.</source>
        <translation>它在回收站中。</translation>
    </message>
    <message>
        <source>Restore it there first: Trash, on the page Library.</source>
        <translation>请先恢复它：“库”页面的回收站。</translation>
    </message>
    <message>
        <source>It is {state} in process {process} on this computer.</source>
        <translation>其状态为 {state}，位于本机的进程 {process} 中。</translation>
    </message>
    <message>
        <source>Stop it there first, or end that process.</source>
        <translation>请先在那里停止它，或结束该进程。</translation>
    </message>
    <message>
        <source>Run {run} has no checkpoint.</source>
        <translation>运行 {run} 没有检查点。</translation>
    </message>
    <message>
        <source>It ended before one was written.</source>
        <translation>它在写入检查点之前就结束了。</translation>
    </message>
    <message>
        <source>Resume it, or run it again.</source>
        <translation>请继续该运行，或重新运行。</translation>
    </message>
    <message>
        <source>{file} was not written by Accumulus.</source>
        <translation>{file} 不是由 Accumulus 写入的。</translation>
    </message>
    <message>
        <source>Its metadata hold no configuration.</source>
        <translation>其元数据中没有配置。</translation>
    </message>
    <message>
        <source>Verify a checkpoint from the library, or one that was exported.</source>
        <translation>请验证库中的检查点，或导出的检查点。</translation>
    </message>
    <message>
        <source>BatchNorm uses the statistics of each micro-batch ({micro}), not of {effective}. Arms will differ by design.</source>
        <translation>BatchNorm 使用每个微批次（{micro} 个样本）的统计量，而不是 {effective} 个样本的统计量。两组会因设计而不同。</translation>
    </message>
    <message>
        <source>The last window of each epoch has {tail} of {effective} samples.</source>
        <translation>每轮最后一个累积窗口只有 {effective} 个样本中的 {tail} 个。</translation>
    </message>
    <message>
        <source>The loss is averaged per micro-batch; with unequal sizes this is not the mean of the batch.</source>
        <translation>损失按微批次求平均；大小不等时，这不是整个批次的均值。</translation>
    </message>
    <message>
        <source>BatchNorm normalises each sample by itself: one sample has hardly any statistics, and none where a layer sees single values.</source>
        <translation>BatchNorm 对每个样本单独归一化：单个样本几乎没有统计量，在只看到单个值的层中则完全没有。</translation>
    </message>
    <message>
        <source>{setting} changes nothing with {others}.</source>
        <translation>在 {others} 时，{setting} 不起任何作用。</translation>
    </message>
    <message>
        <source>Augmentation is for images; text is used unchanged.</source>
        <translation>数据增强用于图像；文本保持原样。</translation>
    </message>
    <message>
        <source>A sum in bf16 has 8 significant bits: it stalls after 256 equal gradients and rounds long before that.</source>
        <translation>bf16 的和只有 8 个有效位：累加 256 个相等的梯度后就会停滞，而且早在此之前就有舍入。</translation>
    </message>
    <message>
        <source>This processor has no instructions for {precision}: training in {precision} is slower than in fp32.</source>
        <translation>此处理器没有 {precision} 指令：用 {precision} 训练比 fp32 更慢。</translation>
    </message>
    <message>
        <source>On this processor {precision} is no faster than fp32: products are computed in fp32 and rounded. Large networks take less memory.</source>
        <translation>在此处理器上，{precision} 不比 fp32 快：乘积以 fp32 计算后再舍入。大型网络占用的内存更少。</translation>
    </message>
    <message>
        <source>Lean accumulation runs on one lane; the {lanes} lanes asked for are not used.</source>
        <translation>就地累积只在一个通道上运行；要求的 {lanes} 个通道不会使用。</translation>
    </message>
    <message>
        <source>CUDA graphs are recorded on a GPU only; this build computes on the CPU.</source>
        <translation>CUDA 图只能在 GPU 上录制；此版本在 CPU 上计算。</translation>
    </message>
    <message>
        <source>A single prediction changes {@metric} by {step} points, more than the margin of ±{margin} points: no result could show equivalence within it.</source>
        <translation>一个预测的对错就会使{@metric}改变 {step} 个百分点，超过 ±{margin} 个百分点的界限：任何结果都无法证明在该界限内等价。</translation>
    </message>
    <message>
        <source>Use the whole test set</source>
        <translation>使用整个测试集</translation>
    </message>
    <message>
        <source>A verdict needs at least {needed} seeds; this study has {seeds}.</source>
        <translation>得出结论至少需要 {needed} 个种子；此研究有 {seeds} 个。</translation>
    </message>
    <message>
        <source>Gradient clipping is applied once per update, after accumulation.</source>
        <translation>梯度裁剪在累积之后，每次参数更新应用一次。</translation>
    </message>
    <message>
        <source>The learning rate was tuned for batch {before}; the batch is now {after}.</source>
        <translation>学习率是针对批大小 {before} 调定的；现在的批大小为 {after}。</translation>
    </message>
    <message>
        <source>Use {value}</source>
        <translation>使用 {value}</translation>
    </message>
    <message>
        <source>Keep {value}</source>
        <translation>保留 {value}</translation>
    </message>
    <message>
        <source>Use 5 seeds</source>
        <translation>使用 5 个种子</translation>
    </message>
    <message>
        <source>Use micro-batch {micro}</source>
        <translation>使用微批次 {micro}</translation>
    </message>
    <message>
        <source>Use {steps} accumulation steps</source>
        <translation>使用 {steps} 个累积步数</translation>
    </message>
    <message>
        <source>Use effective batch {effective}</source>
        <translation>使用有效批大小 {effective}</translation>
    </message>
    <message>
        <source>Use {heads} heads</source>
        <translation>使用 {heads} 个注意力头</translation>
    </message>
    <message>
        <source>Use width {width}</source>
        <translation>使用宽度 {width}</translation>
    </message>
    <message>
        <source>Allow a smaller last micro-batch</source>
        <translation>允许较小的最后一个微批次</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>加权</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>舍弃</translation>
    </message>
    <message>
        <source>Carry over</source>
        <translation>结转</translation>
    </message>
    <message>
        <source>Weight by samples</source>
        <translation>按样本加权</translation>
    </message>
    <message>
        <source>Use GroupNorm</source>
        <translation>使用 GroupNorm</translation>
    </message>
    <message>
        <source>Freeze statistics</source>
        <translation>冻结统计量</translation>
    </message>
    <message>
        <source>Add the ghost control</source>
        <translation>添加 Ghost 对照</translation>
    </message>
    <message>
        <source>No augmentation</source>
        <translation>不用数据增强</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>不限制</translation>
    </message>
    <message>
        <source>Linear: {lr}</source>
        <translation>线性：{lr}</translation>
    </message>
    <message>
        <source>Square root: {lr}</source>
        <translation>平方根：{lr}</translation>
    </message>
    <message>
        <source>Half-life: {lr}</source>
        <translation>半衰期：{lr}</translation>
    </message>
    <message>
        <source>Noise scale: {lr}</source>
        <translation>噪声尺度：{lr}</translation>
    </message>
    <message>
        <source>Keeps the progress per sample, as long as B stays well below the noise scale; add warm-up when B grows a lot.</source>
        <translation>只要 B 远小于噪声尺度，就能保持每个样本的进展；B 增大很多时请加入预热。</translation>
    </message>
    <message>
        <source>Keeps the noise per sample; the cautious choice.</source>
        <translation>保持每个样本的噪声；较谨慎的选择。</translation>
    </message>
    <message>
        <source>Adam&apos;s rule: lr scales with the square root, the averages get shorter in updates, eps smaller.</source>
        <translation>Adam 的规则：lr 按平方根缩放，滑动平均按参数更新计变短，eps 变小。</translation>
    </message>
    <message>
        <source>The same, but keeps the half-life of the averages in samples exactly.</source>
        <translation>同上，但精确保持滑动平均以样本计的半衰期。</translation>
    </message>
    <message>
        <source>From the measured noise scale of about {noiseScale} samples.</source>
        <translation>依据测得的约 {noiseScale} 个样本的噪声尺度。</translation>
    </message>
    <message>
        <source>No CUDA device: the CPU is used ({reason}).</source>
        <translation>没有 CUDA 设备：使用 CPU（{reason}）。</translation>
    </message>
    <message>
        <source>This version trains on the CPU.</source>
        <translation>此版本在 CPU 上训练。</translation>
    </message>
    <message>
        <source>Micro-steps could not be recorded as a CUDA graph; kernels are launched one by one: {@reason}.</source>
        <translation>微步无法录制为 CUDA 图；内核将逐个启动：{@reason}。</translation>
    </message>
    <message>
        <source>This processor has matrix instructions for bfloat16: numerics.precision = &quot;bf16&quot; would train this model faster.</source>
        <translation>此处理器有 bfloat16 矩阵指令：numerics.precision = &quot;bf16&quot; 会使此模型训练更快。</translation>
    </message>
    <message>
        <source>Part of window {window} failed and was computed again: {@fault}.</source>
        <translation>窗口 {window} 的一部分失败并已重新计算：{@fault}。</translation>
    </message>
    <message>
        <source>16-bit gradients overflowed in window {window} ({#overflows}); what overflowed was computed again at a lower loss scale.</source>
        <translation>窗口 {window} 中的 16 位梯度溢出（{#overflows} 次）；溢出的部分已用更低的损失缩放重新计算。</translation>
    </message>
    <message>
        <source>From window {window} on, micro-batches are computed whole again.</source>
        <translation>从窗口 {window} 起，微批次重新整体计算。</translation>
    </message>
    <message>
        <source>MNIST</source>
        <translation>MNIST</translation>
    </message>
    <message>
        <source>Fashion-MNIST</source>
        <translation>Fashion-MNIST</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation>图像文件夹</translation>
    </message>
    <message>
        <source>Tiny Shakespeare</source>
        <translation>Tiny Shakespeare</translation>
    </message>
    <message>
        <source>Generated digits</source>
        <translation>生成的数字</translation>
    </message>
    <message>
        <source>Generated textures</source>
        <translation>生成的纹理</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>{height}x{width}x{channels}</source>
        <translation>{height}x{width}x{channels}</translation>
    </message>
    <message>
        <source>{#classes} classes</source>
        <translation>{#classes} 个类别</translation>
    </message>
    <message>
        <source>bundled copy</source>
        <translation>内置副本</translation>
    </message>
    <message>
        <source>drawn by the program</source>
        <translation>由程序绘制</translation>
    </message>
    <message>
        <source>{path}</source>
        <translation>{path}</translation>
    </message>
    <message>
        <source>{#images} training images found in 1 file</source>
        <translation>在 1 个文件中找到 {#images} 张训练图像</translation>
    </message>
    <message>
        <source>{#images} training images found in {#files} files</source>
        <translation>在 {#files} 个文件中找到 {#images} 张训练图像</translation>
    </message>
    <message>
        <source>{#images} test images</source>
        <translation>{#images} 张测试图像</translation>
    </message>
    <message>
        <source>{#train} training and {#test} test images found</source>
        <translation>找到 {#train} 张训练图像和 {#test} 张测试图像</translation>
    </message>
    <message>
        <source>{#bytes} bytes</source>
        <translation>{#bytes} 字节</translation>
    </message>
    <message>
        <source>{#symbols} different bytes</source>
        <translation>{#symbols} 种不同字节</translation>
    </message>
    <message>
        <source>in samples of {#block}</source>
        <translation>每个样本 {#block} 个</translation>
    </message>
    <message>
        <source>GPU: {name}</source>
        <translation>GPU：{name}</translation>
    </message>
    <message>
        <source>CPU: {name}</source>
        <translation>CPU：{name}</translation>
    </message>
    <message>
        <source>{#cores} cores</source>
        <translation>{#cores} 个核心</translation>
    </message>
    <message>
        <source>{memory}</source>
        <translation>{memory}</translation>
    </message>
    <message>
        <source>Equivalent within ±{margin}{@unit}</source>
        <translation>在 ±{margin}{@unit}以内等价</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Different, but within ±{margin}{@unit}</source>
        <translation>不同，但在 ±{margin}{@unit}以内</translation>
    </message>
    <message>
        <source>Inconclusive</source>
        <translation>无定论</translation>
    </message>
    <message>
        <source>Within ±{margin}{@unit}, but not the same method</source>
        <translation>在 ±{margin}{@unit}以内，但不是同一方法</translation>
    </message>
    <message>
        <source>Not enough seeds ({n} of at least {needed})</source>
        <translation>种子不足（{n} 个，至少需要 {needed} 个）</translation>
    </message>
    <message>
        <source>No seed has a usable run in both groups, so there is nothing to compare.</source>
        <translation>没有种子在两组中都有可用的运行，因此无从对比。</translation>
    </message>
    <message>
        <source>{@a} minus {@b}: difference in {@metric} {difference}{@unit} ({n} paired seed).</source>
        <translation>{@a} 减 {@b}：{@metric}之差为 {difference}{@unit}（{n} 个配对种子）。</translation>
    </message>
    <message>
        <source>{@a} minus {@b}: mean difference in {@metric} {difference}{@unit} (90 % interval {low90} to {high90}; {n} paired seeds).</source>
        <translation>{@a} 减 {@b}：{@metric}的平均差为 {difference}{@unit}（90 % 区间 {low90} 至 {high90}；{n} 个配对种子）。</translation>
    </message>
    <message>
        <source>All {n} paired seeds gave exactly the same {@metric} in both groups, which lies within ±{margin}{@unit} and any other margin.</source>
        <translation>全部 {n} 个配对种子在两组中的{@metric}完全相同，这在 ±{margin}{@unit}及任何其他界限之内。</translation>
    </message>
    <message>
        <source>The 90 % interval lies inside ±{margin}{@unit}: any difference is smaller than the margin.</source>
        <translation>90 % 区间位于 ±{margin}{@unit}之内：任何差异都小于界限。</translation>
    </message>
    <message>
        <source>The 95 % interval ({low95} to {high95}) excludes 0 ({pDifference}): the groups differ by more than the seeds explain, and the difference was not shown to stay within ±{margin}{@unit}.</source>
        <translation>95 % 区间（{low95} 至 {high95}）不含 0（{pDifference}）：两组的差异超出种子所能解释的范围，且未能证明差异在 ±{margin}{@unit}之内。</translation>
    </message>
    <message>
        <source>There is a difference (95 % interval {low95} to {high95}, {pDifference}), but the 90 % interval lies inside ±{margin}{@unit}: it is smaller than the margin.</source>
        <translation>存在差异（95 % 区间 {low95} 至 {high95}，{pDifference}），但 90 % 区间位于 ±{margin}{@unit}之内：差异小于界限。</translation>
    </message>
    <message>
        <source>All {n} paired seeds gave exactly the same {@metric} in both groups. A single prediction changes it by {step}{@unit}: the difference lies within ±{margin}{@unit}.</source>
        <translation>全部 {n} 个配对种子在两组中的{@metric}完全相同。一个预测的对错会使其改变 {step}{@unit}：差值在 ±{margin}{@unit}以内。</translation>
    </message>
    <message>
        <source>A single prediction changes {@metric} by {step}{@unit}, more than the margin of ±{margin}{@unit}: these runs cannot show equivalence within it, even where they agree. Evaluate more samples (data.test_limit, data.validation), or judge the loss.</source>
        <translation>一个预测的对错就会使{@metric}改变 {step}{@unit}，超过 ±{margin}{@unit}的界限：即使结果一致，这些运行也无法证明在该界限内等价。请评估更多样本（data.test_limit、data.validation），或者改用损失来判断。</translation>
    </message>
    <message>
        <source>The runs show no difference ({pDifference}), and they cannot show equivalence: for some seeds one group&apos;s run diverged while the other&apos;s completed, so which pairs are left depends on the outcome.</source>
        <translation>各次运行未显示差异（{pDifference}），但也无法证明等价：对于某些种子，一组的运行发散，而另一组的运行完成，因此留下哪些配对取决于结果。</translation>
    </message>
    <message>
        <source>The runs show neither a difference ({pDifference}) nor equivalence within ±{margin}{@unit} ({pEquivalence}). That is no evidence of equality: more seeds would narrow the interval.</source>
        <translation>各次运行既未显示差异（{pDifference}），也未显示在 ±{margin}{@unit}内等价（{pEquivalence}）。这不是相等的证据：更多种子会缩小区间。</translation>
    </message>
    <message>
        <source>The 90 % interval lies inside ±{margin}{@unit}, but BatchNorm normalised the groups&apos; samples by the statistics of different batches: they are different methods, and a small difference here says nothing about others. To compare accumulation itself, set study.ghost = true, numerics.batch_norm = &quot;frozen&quot; or model.norm = &quot;group&quot;.</source>
        <translation>90 % 区间位于 ±{margin}{@unit}之内，但 BatchNorm 用不同批次的统计量归一化两组的样本：它们是不同的方法，此处差异小并不能说明其他情形。要对比累积本身，请设置 study.ghost = true、numerics.batch_norm = &quot;frozen&quot; 或 model.norm = &quot;group&quot;。</translation>
    </message>
    <message>
        <source>A verdict needs at least {needed} paired seeds.</source>
        <translation>得出结论至少需要 {needed} 个配对种子。</translation>
    </message>
    <message>
        <source>Smallest margin that would pass: {smallest}{@unit}.</source>
        <translation>可通过的最小界限：{smallest}{@unit}。</translation>
    </message>
    <message>
        <source> points</source>
        <translation> 个百分点</translation>
    </message>
    <message>
        <source>final test accuracy</source>
        <translation>最终测试准确率</translation>
    </message>
    <message>
        <source>best test accuracy</source>
        <translation>最佳测试准确率</translation>
    </message>
    <message>
        <source>final test loss</source>
        <translation>最终测试损失</translation>
    </message>
    <message>
        <source>final training loss</source>
        <translation>最终训练损失</translation>
    </message>
    <message>
        <source>accumulated</source>
        <translation>累积</translation>
    </message>
    <message>
        <source>large batch</source>
        <translation>大批量</translation>
    </message>
    <message>
        <source>group A</source>
        <translation>A 组</translation>
    </message>
    <message>
        <source>group B</source>
        <translation>B 组</translation>
    </message>
    <message>
        <source>The margin was set after the results were seen.</source>
        <translation>界限是在看到结果之后设定的。</translation>
    </message>
    <message>
        <source>The margin is not positive: equivalence cannot be shown.</source>
        <translation>界限不是正数：无法证明等价。</translation>
    </message>
    <message>
        <source>Runs of {@group} diverged or failed where the other group&apos;s completed (seeds: {seeds}). Which pairs are left depends on the outcome, so the groups are not called equivalent.</source>
        <translation>{@group}中有运行发散或失败，而另一组的对应运行已完成（种子：{seeds}）。留下哪些配对取决于结果，因此不能称两组等价。</translation>
    </message>
    <message>
        <source>Unexpected difference: {what} is {@a} in group A and {@b} in group B.</source>
        <translation>意外的差异：{what} 在 A 组为 {@a}，在 B 组为 {@b}。</translation>
    </message>
    <message>
        <source>The runs of {@group} do not share one configuration: they differ in {keys}.</source>
        <translation>{@group}的运行配置不一致：{keys} 不同。</translation>
    </message>
    <message>
        <source>Seed {seed}: the runs saw different amounts of data, {#a} and {#b} samples.</source>
        <translation>种子 {seed}：两次运行所见的数据量不同，分别为 {#a} 和 {#b} 个样本。</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) is in both groups.</source>
        <translation>运行 {run}（种子 {seed}）同时在两组中。</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) failed: {@reason}</source>
        <translation>运行 {run}（种子 {seed}）失败：{@reason}</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) failed.</source>
        <translation>运行 {run}（种子 {seed}）失败。</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) is not complete.</source>
        <translation>运行 {run}（种子 {seed}）尚未完成。</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) has no {@metric}.</source>
        <translation>运行 {run}（种子 {seed}）没有{@metric}。</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) has a {@metric} that is not finite.</source>
        <translation>运行 {run}（种子 {seed}）的{@metric}非有限。</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) repeats a seed; run {used} is used.</source>
        <translation>运行 {run}（种子 {seed}）的种子重复；使用运行 {used}。</translation>
    </message>
    <message>
        <source>Run {run} (seed {seed}) has no partner in the other group.</source>
        <translation>运行 {run}（种子 {seed}）在另一组中没有配对。</translation>
    </message>
    <message>
        <source>periodic</source>
        <translation>定期</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>initial</source>
        <translation>初始</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>{choices}</source>
        <translation>{choices}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a path, or empty</source>
        <translation>路径，可留空</translation>
    </message>
    <message>
        <source>a whole number, {@range}</source>
        <translation>整数，{@range}</translation>
    </message>
    <message>
        <source>a number, {@range}</source>
        <translation>数值，{@range}</translation>
    </message>
    <message>
        <source>&quot;N epochs&quot;, &quot;N updates&quot; or &quot;N samples&quot; with N {@range}</source>
        <translation>&quot;N epochs&quot;、&quot;N updates&quot; 或 &quot;N samples&quot;，N 的范围：{@range}</translation>
    </message>
    <message>
        <source>&quot;N epochs&quot;, &quot;N updates&quot; or &quot;N samples&quot;</source>
        <translation>&quot;N epochs&quot;、&quot;N updates&quot; 或 &quot;N samples&quot;</translation>
    </message>
    <message>
        <source>a list such as [0, 1, 2] of different whole numbers, each {@range}</source>
        <translation>由互不相同的整数组成的列表，如 [0, 1, 2]，每个数的范围：{@range}</translation>
    </message>
    <message>
        <source>a list such as [[1, 128], [500, 512]] of increasing updates and effective batches, {@range}</source>
        <translation>由递增的参数更新及其有效批大小组成的列表，例如 [[1, 128], [500, 512]]，批大小为{@range}</translation>
    </message>
    <message>
        <source>increasing updates, each with its effective batch, such as 100: 64, 500: 512; batches {@range}</source>
        <translation>递增的参数更新，各附其有效批大小，例如 100: 64, 500: 512；批大小为{@range}</translation>
    </message>
    <message>
        <source>&quot;dynamic&quot; or a positive number such as &quot;1024&quot;</source>
        <translation>&quot;dynamic&quot; 或一个正数，例如 &quot;1024&quot;</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>任意数</translation>
    </message>
    <message>
        <source>{#minimum} or more</source>
        <translation>不小于 {#minimum}</translation>
    </message>
    <message>
        <source>above {#minimum}</source>
        <translation>大于 {#minimum}</translation>
    </message>
    <message>
        <source>at most {#maximum}</source>
        <translation>不大于 {#maximum}</translation>
    </message>
    <message>
        <source>{#minimum} to {#maximum}</source>
        <translation>{#minimum} 至 {#maximum}</translation>
    </message>
    <message>
        <source>above {#minimum}, up to {#maximum}</source>
        <translation>大于 {#minimum}，不大于 {#maximum}</translation>
    </message>
    <message>
        <source>0, or {#least} to {#maximum}</source>
        <translation>0，或 {#least} 至 {#maximum}</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>a single process</source>
        <translation>单个进程</translation>
    </message>
    <message>
        <source>this build</source>
        <translation>此构建</translation>
    </message>
    <message>
        <source>it is not a finite number</source>
        <translation>它不是有限的数</translation>
    </message>
    <message>
        <source>it is too small</source>
        <translation>数值太小</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>数值太大</translation>
    </message>
    <message>
        <source>the list is empty</source>
        <translation>列表为空</translation>
    </message>
    <message>
        <source>the list is too long</source>
        <translation>列表太长</translation>
    </message>
    <message>
        <source>it contains a number twice</source>
        <translation>其中有重复的数</translation>
    </message>
    <message>
        <source>updates count from 1 and must increase</source>
        <translation>参数更新从 1 开始计数，且必须递增</translation>
    </message>
    <message>
        <source>it is neither true nor false</source>
        <translation>它既不是 true 也不是 false</translation>
    </message>
    <message>
        <source>it is not a whole number</source>
        <translation>它不是整数</translation>
    </message>
    <message>
        <source>it is not a number</source>
        <translation>它不是数</translation>
    </message>
    <message>
        <source>it is not text</source>
        <translation>它不是文本</translation>
    </message>
    <message>
        <source>it is not an amount with a unit</source>
        <translation>它不是带单位的数量</translation>
    </message>
    <message>
        <source>it is not a list of whole numbers</source>
        <translation>它不是整数列表</translation>
    </message>
    <message>
        <source>it is not a list of [update, effective]</source>
        <translation>它不是 [update, effective] 的列表</translation>
    </message>
    <message>
        <source>it is none of the choices</source>
        <translation>它不在可选项之中</translation>
    </message>
    <message>
        <source>it is longer than 4096 bytes</source>
        <translation>它超过 4096 字节</translation>
    </message>
    <message>
        <source>it is not valid UTF-8</source>
        <translation>它不是有效的 UTF-8</translation>
    </message>
    <message>
        <source>it contains a control character</source>
        <translation>它含有控制字符</translation>
    </message>
    <message>
        <source>the number is too large</source>
        <translation>数太大</translation>
    </message>
    <message>
        <source>it does not begin with a whole number</source>
        <translation>它不以整数开头</translation>
    </message>
    <message>
        <source>the unit is missing</source>
        <translation>缺少单位</translation>
    </message>
    <message>
        <source>the unit is none of epochs, updates and samples</source>
        <translation>单位不是 epochs、updates 或 samples</translation>
    </message>
    <message>
        <source>it is not a valid value</source>
        <translation>它不是有效的值</translation>
    </message>
    <message>
        <source>nothing is given</source>
        <translation>没有给出任何值</translation>
    </message>
    <message>
        <source>it does not begin with a number</source>
        <translation>它不以数开头</translation>
    </message>
    <message>
        <source>the unit is none of B, KiB, MiB, GiB, kB, MB and GB</source>
        <translation>单位不是 B、KiB、MiB、GiB、kB、MB 或 GB</translation>
    </message>
    <message>
        <source>it has the wrong type</source>
        <translation>类型不对</translation>
    </message>
    <message>
        <source>it is not an object</source>
        <translation>它不是对象</translation>
    </message>
    <message>
        <source>the text is longer than 1 MiB</source>
        <translation>文本超过 1 MiB</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>它是一个文件夹</translation>
    </message>
    <message>
        <source>it cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>reading it failed</source>
        <translation>读取失败</translation>
    </message>
    <message>
        <source>it is larger than 1 MiB, which no experiment is</source>
        <translation>它超过 1 MiB，任何实验文件都不会这么大</translation>
    </message>
    <message>
        <source>a line has more than 32 dots outside a comment</source>
        <translation>有一行在注释之外含有超过 32 个点</translation>
    </message>
    <message>
        <source>together with the other settings of the batch the number becomes too large</source>
        <translation>与批次的其他设置合在一起，该数变得太大</translation>
    </message>
    <message>
        <source>batch.effective is 0 too, and one of the two is needed to derive the other</source>
        <translation>batch.effective 也是 0，而推导其中一个需要另一个</translation>
    </message>
    <message>
        <source>a table is given</source>
        <translation>给出的是表</translation>
    </message>
    <message>
        <source>a list is given</source>
        <translation>给出的是列表</translation>
    </message>
    <message>
        <source>text is given</source>
        <translation>给出的是文本</translation>
    </message>
    <message>
        <source>a whole number is given</source>
        <translation>给出的是整数</translation>
    </message>
    <message>
        <source>a real number is given</source>
        <translation>给出的是实数</translation>
    </message>
    <message>
        <source>true or false is given</source>
        <translation>给出的是 true 或 false</translation>
    </message>
    <message>
        <source>a date or time is given</source>
        <translation>给出的是日期或时间</translation>
    </message>
    <message>
        <source>it is neither dynamic nor a positive number</source>
        <translation>它既不是 dynamic 也不是正数</translation>
    </message>
    <message>
        <source>the validation samples are taken from the training set, which leaves none to train on</source>
        <translation>验证样本取自训练集，这样就没有样本可用于训练</translation>
    </message>
    <message>
        <source>Lower data.validation or raise data.train_limit</source>
        <translation>请减小 data.validation 或增大 data.train_limit</translation>
    </message>
    <message>
        <source>Set model.heads = {heads}, or model.width = {width}</source>
        <translation>请设置 model.heads = {heads}，或 model.width = {width}</translation>
    </message>
    <message>
        <source>in fp64 runs everything is fp64</source>
        <translation>在 fp64 运行中一切都是 fp64</translation>
    </message>
    <message>
        <source>Set numerics.accumulator = &quot;auto&quot;</source>
        <translation>请设置 numerics.accumulator = &quot;auto&quot;</translation>
    </message>
    <message>
        <source>it was built without CUDA</source>
        <translation>它在构建时没有 CUDA</translation>
    </message>
    <message>
        <source>Set device.kind = &quot;auto&quot; or &quot;cpu&quot;</source>
        <translation>请设置 device.kind = &quot;auto&quot; 或 &quot;cpu&quot;</translation>
    </message>
    <message>
        <source>lean accumulation adds gradients one by one during the backward pass</source>
        <translation>就地累积在反向传播过程中逐个累加梯度</translation>
    </message>
    <message>
        <source>Set device.capture = &quot;auto&quot;, or batch.lean = false</source>
        <translation>请设置 device.capture = &quot;auto&quot;，或 batch.lean = false</translation>
    </message>
    <message>
        <source>each micro-batch is inspected before it is added</source>
        <translation>每个微批次在累加之前都要检查</translation>
    </message>
    <message>
        <source>Set device.capture = &quot;auto&quot;, or numerics.nonfinite = &quot;skip-update&quot;</source>
        <translation>请设置 device.capture = &quot;auto&quot;，或 numerics.nonfinite = &quot;skip-update&quot;</translation>
    </message>
    <message>
        <source>the engine was told to do otherwise</source>
        <translation>引擎被要求以其他方式运行</translation>
    </message>
    <message>
        <source>what a micro-step adds depends on the micro-steps before it</source>
        <translation>一个微步所累加的内容取决于它之前的微步</translation>
    </message>
    <message>
        <source>Set device.capture = &quot;auto&quot;, or numerics.batch_norm = &quot;micro&quot;</source>
        <translation>请设置 device.capture = &quot;auto&quot;，或 numerics.batch_norm = &quot;micro&quot;</translation>
    </message>
    <message>
        <source>it evaluates loss and gradient several times per update, and its closure sees the last micro-batch, not the window</source>
        <translation>它每次参数更新要多次计算损失和梯度，而其闭包只看到最后一个微批次，而不是整个窗口</translation>
    </message>
    <message>
        <source>losses that compare the samples of a batch (contrastive, triplet, Dice, in-batch negatives) are not sums over samples, so accumulated micro-batches would train something else than the large batch</source>
        <translation>比较批次内样本的损失（对比、三元组、Dice、批内负样本）不是对样本求和，因此累积的微批次训练的将不同于大批量</translation>
    </message>
    <message>
        <source>an update inside the backward pass applies the gradient of one micro-batch, not of the window</source>
        <translation>在反向传播中更新会应用单个微批次的梯度，而不是整个窗口的梯度</translation>
    </message>
    <message>
        <source>clipping single elements is not linear: done in each micro-batch, it distorts the gradient of the window</source>
        <translation>裁剪单个元素不是线性的：在每个微批次中进行会扭曲窗口的梯度</translation>
    </message>
    <message>
        <source>Use sgd, adam or adamw</source>
        <translation>请使用 sgd、adam 或 adamw</translation>
    </message>
    <message>
        <source>Use train.clip_norm, which clips once, on the gradient of the whole window</source>
        <translation>请使用 train.clip_norm，它对整个窗口的梯度只裁剪一次</translation>
    </message>
    <message>
        <source>Leave it out; batch.lean = true saves one copy of the gradient without changing the result</source>
        <translation>请去掉它；batch.lean = true 可少存一份梯度而不改变结果</translation>
    </message>
    <message>
        <source>Leave it out: the loss is the cross entropy of each sample or token</source>
        <translation>请去掉它：损失是每个样本或词元的交叉熵</translation>
    </message>
    <message>
        <source>it belongs to another program</source>
        <translation>它属于另一个程序</translation>
    </message>
    <message>
        <source>it has no version number</source>
        <translation>它没有标明版本</translation>
    </message>
    <message>
        <source>it is larger than expected</source>
        <translation>它比预期的大</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>没有这个文件</translation>
    </message>
    <message>
        <source>the file should have {bytes} more bytes</source>
        <translation>该文件还应有 {bytes} 个字节</translation>
    </message>
    <message>
        <source>more bytes follow than expected</source>
        <translation>后面的字节多于预期</translation>
    </message>
    <message>
        <source>the compressed data are damaged: {problem}</source>
        <translation>压缩数据已损坏：{problem}</translation>
    </message>
    <message>
        <source>its compressed data promise {promised} bytes, but the file has only {size} bytes</source>
        <translation>其压缩数据声明有 {promised} 字节，而文件只有 {size} 字节</translation>
    </message>
    <message>
        <source>its header promises a file of {promised} bytes, but it has only {size}</source>
        <translation>按其文件头，文件应有 {promised} 字节，而实际只有 {size} 字节</translation>
    </message>
    <message>
        <source>its first four bytes are {found}, but an IDX file starts with 0x00000801 (labels) or 0x00000803 (images)</source>
        <translation>其前四个字节为 {found}，而 IDX 文件以 0x00000801（标签）或 0x00000803（图像）开头</translation>
    </message>
    <message>
        <source>its header promises {count} x {height} x {width} bytes</source>
        <translation>其文件头声明有 {count} x {height} x {width} 字节</translation>
    </message>
    <message>
        <source>it holds labels where images are expected</source>
        <translation>应为图像之处却是标签</translation>
    </message>
    <message>
        <source>it holds images where labels are expected</source>
        <translation>应为标签之处却是图像</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>it is neither PNG nor JPEG</source>
        <translation>它既不是 PNG 也不是 JPEG</translation>
    </message>
    <message>
        <source>its header is damaged ({problem})</source>
        <translation>其文件头已损坏（{problem}）</translation>
    </message>
    <message>
        <source>it promises {pixels} pixels; at most 16384 a side and 33 million in all are read</source>
        <translation>它声明有 {pixels} 像素；最多读取每边 16384、共 3300 万像素</translation>
    </message>
    <message>
        <source>it promises {pixels} pixels, more than its {size} bytes can hold</source>
        <translation>它声明有 {pixels} 像素，超出其 {size} 字节所能容纳的数量</translation>
    </message>
    <message>
        <source>it cannot be decoded ({problem})</source>
        <translation>无法解码（{problem}）</translation>
    </message>
    <message>
        <source>it ends too early: the part at byte {at} promises {promised} bytes</source>
        <translation>它过早结束：字节 {at} 处的部分声明有 {promised} 字节</translation>
    </message>
    <message>
        <source>the part at byte {at} is damaged: its checksum does not match</source>
        <translation>字节 {at} 处的部分已损坏：校验和不符</translation>
    </message>
    <message>
        <source>it ends too early, at byte {at}</source>
        <translation>它过早结束，位于字节 {at}</translation>
    </message>
    <message>
        <source>the segment at byte {at} is damaged</source>
        <translation>字节 {at} 处的段已损坏</translation>
    </message>
    <message>
        <source>it ends too early, at byte {at}, without an end mark</source>
        <translation>它在字节 {at} 处过早结束，没有结束标记</translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>the folder holds no .txt file</source>
        <translation>该文件夹中没有 .txt 文件</translation>
    </message>
    <message>
        <source>the folder holds {files} .txt files</source>
        <translation>该文件夹中有 {files} 个 .txt 文件</translation>
    </message>
    <message>
        <source>all its bytes are the same</source>
        <translation>其所有字节都相同</translation>
    </message>
    <message>
        <source>one sample of data.block = {block} takes {bytes} bytes; the held-out tenth has {rest} of {size}</source>
        <translation>data.block = {block} 的一个样本需要 {bytes} 字节；留出的十分之一在 {size} 字节中占 {rest} 字节</translation>
    </message>
    <message>
        <source>Choose another file</source>
        <translation>请选择另一个文件</translation>
    </message>
    <message>
        <source>Use a longer text</source>
        <translation>请使用更长的文本</translation>
    </message>
    <message>
        <source>Lower data.block to at most {largest}, or use a longer text</source>
        <translation>请将 data.block 减小到至多 {largest}，或使用更长的文本</translation>
    </message>
    <message>
        <source>it cannot be listed: {problem}</source>
        <translation>无法列出其内容：{problem}</translation>
    </message>
    <message>
        <source>test/ has the class {class}, which train/ lacks</source>
        <translation>test/ 中有类别 {class}，而 train/ 中没有</translation>
    </message>
    <message>
        <source>the folders in test/ hold no PNG or JPEG file</source>
        <translation>test/ 下的文件夹中没有 PNG 或 JPEG 文件</translation>
    </message>
    <message>
        <source>the class {class} has only one file; without train/ and test/, each class needs one for testing, too</source>
        <translation>类别 {class} 只有一个文件；没有 train/ 和 test/ 时，每个类别还需要一个用于测试</translation>
    </message>
    <message>
        <source>no folder is given: data.path is empty</source>
        <translation>没有给出文件夹：data.path 为空</translation>
    </message>
    <message>
        <source>no folder is given: data.path is empty, and this set does not come with the program</source>
        <translation>没有给出文件夹：data.path 为空，而此数据集不随程序提供</translation>
    </message>
    <message>
        <source>there is no folder {folder}</source>
        <translation>没有文件夹 {folder}</translation>
    </message>
    <message>
        <source>it has a folder train, but no folder test</source>
        <translation>其中有文件夹 train，但没有文件夹 test</translation>
    </message>
    <message>
        <source>it has a folder test, but no folder train</source>
        <translation>其中有文件夹 test，但没有文件夹 train</translation>
    </message>
    <message>
        <source>it holds {classes} classes; 2 to 256 are possible</source>
        <translation>其中有 {classes} 个类别；可为 2 至 256 个</translation>
    </message>
    <message>
        <source>the folder of the class {class} holds no PNG or JPEG file</source>
        <translation>类别 {class} 的文件夹中没有 PNG 或 JPEG 文件</translation>
    </message>
    <message>
        <source>there is no data_batch_N.bin in {folder}</source>
        <translation>{folder} 中没有 data_batch_N.bin</translation>
    </message>
    <message>
        <source>there is no test_batch.bin in {folder}</source>
        <translation>{folder} 中没有 test_batch.bin</translation>
    </message>
    <message>
        <source>it belongs to a larger training set</source>
        <translation>它属于更大的训练集</translation>
    </message>
    <message>
        <source>the system refused an allocation</source>
        <translation>系统拒绝分配内存</translation>
    </message>
    <message>
        <source>an unknown exception</source>
        <translation>未知异常</translation>
    </message>
    <message>
        <source>From window {window} on, micro-batches are computed in parts of at most {samples} samples to save memory. The effective batch stays the same.{@batchNorm}</source>
        <translation>从窗口 {window} 起，为节省内存，微批次分成最多 {samples} 个样本的部分计算。有效批大小不变。{@batchNorm}</translation>
    </message>
    <message>
        <source> BatchNorm normalises each part by itself, which changes the gradient.</source>
        <translation>BatchNorm 对每个部分单独归一化，这会改变梯度。</translation>
    </message>
    <message>
        <source>The system refuses to create more threads.</source>
        <translation>系统不再为此程序提供线程。</translation>
    </message>
    <message>
        <source>Use fewer lanes (device.lanes) or threads (device.threads), or raise the limit on processes (ulimit -u).</source>
        <translation>请减少通道数（device.lanes）或线程数（device.threads），或提高进程数限制（ulimit -u）。</translation>
    </message>
    <message>
        <source>{@what}: loading it takes {needed}, and {available} are available.</source>
        <translation>{@what}：载入需要 {needed}，可用 {available}。</translation>
    </message>
    <message>
        <source>Set data.train_limit and data.test_limit, use a smaller data.resize or a shorter text, or close other programs.</source>
        <translation>请设置 data.train_limit 和 data.test_limit，使用更小的 data.resize 或更短的文本，或关闭其他程序。</translation>
    </message>
    <message>
        <source>{model} cannot take {@input}.</source>
        <translation>{model} 无法接受{@input}。</translation>
    </message>
    <message>
        <source>It takes {@wanted}.</source>
        <translation>它接受{@wanted}。</translation>
    </message>
    <message>
        <source>The library {file} refuses what a run has to write.</source>
        <translation>库 {file} 拒绝运行要写入的内容。</translation>
    </message>
    <message>
        <source>Trying again does not help. Check the file with: sqlite3 FILE &apos;PRAGMA integrity_check&apos;. The run can be resumed from its newest checkpoint.</source>
        <translation>重试没有帮助。请检查该文件：sqlite3 FILE &apos;PRAGMA integrity_check&apos;。该运行可以从最新的检查点继续。</translation>
    </message>
    <message>
        <source>{folder} cannot be written.</source>
        <translation>无法写入 {folder}。</translation>
    </message>
    <message>
        <source>Checkpoints are kept there. Check the disk and the folder&apos;s permissions, or choose another library.</source>
        <translation>检查点保存在那里。请检查磁盘和文件夹的权限，或选择另一个库。</translation>
    </message>
    <message>
        <source>It is {state} on another computer, last heard from at {when}.</source>
        <translation>它在另一台计算机上处于 {state} 状态，最后一次活动是在 {when}。</translation>
    </message>
    <message>
        <source>Stop it there first. If that computer is gone, or its clock is wrong, take the run over: accumulus-cli resume {run}{library} --take-over.</source>
        <translation>请先在那里停止它。如果那台计算机已不在，或其时钟有误，请接管该运行：accumulus-cli resume {run}{library} --take-over。</translation>
    </message>
    <message>
        <source>Run {run} was taken over by another process.</source>
        <translation>运行 {run} 已被另一个进程接管。</translation>
    </message>
    <message>
        <source>Its rows belong to that process now, so nothing more is written here.</source>
        <translation>它的记录现在属于那个进程，因此这里不再写入任何内容。</translation>
    </message>
    <message>
        <source>Let that process finish the run.</source>
        <translation>请让那个进程完成该运行。</translation>
    </message>
    <message>
        <source>Run {run} cannot be resumed: none of its {count} resume bundles is where the library expects it.</source>
        <translation>运行 {run} 无法继续：它的 {count} 个恢复包都不在库所记录的位置。</translation>
    </message>
    <message>
        <source>The newest should be {file}.</source>
        <translation>最新的应为 {file}。</translation>
    </message>
    <message>
        <source>Move {folder} back to its place beside the library, or mount the disk that holds it. Nothing was changed.</source>
        <translation>请把 {folder} 移回库旁边的位置，或挂载存放它的磁盘。没有更改任何内容。</translation>
    </message>
    <message>
        <source>Run {run} cannot be resumed: none of its resume bundles can be used.</source>
        <translation>运行 {run} 无法继续：它的恢复包都无法使用。</translation>
    </message>
    <message>
        <source>Restore a copy of {folder}, or run the experiment again. Nothing was changed.</source>
        <translation>请恢复 {folder} 的副本，或重新运行该实验。没有更改任何内容。</translation>
    </message>
    <message>
        <source>Run {run} cannot be resumed: its data set has changed.</source>
        <translation>运行 {run} 无法继续：它的数据集已更改。</translation>
    </message>
    <message>
        <source>It was trained on {dataset} with hash {stored}; now the hash is {found}.</source>
        <translation>它是在哈希为 {stored} 的 {dataset} 上训练的；现在的哈希是 {found}。</translation>
    </message>
    <message>
        <source>Restore the data, or go on with what is there now: accumulus-cli resume {run}{library} --other-data.</source>
        <translation>请恢复数据，或使用现有数据继续：accumulus-cli resume {run}{library} --other-data。</translation>
    </message>
    <message>
        <source>{failed} of {runs} runs failed.</source>
        <translation>{runs} 个运行中有 {failed} 个失败。</translation>
    </message>
    <message>
        <source>The other runs are recorded as usual. `accumulus-cli list` shows which ones failed; each can be resumed.</source>
        <translation>其他运行照常记录。`accumulus-cli list` 会显示哪些失败了；每个都可以继续。</translation>
    </message>
    <message>
        <source>The run continues with other data than before, as requested: the hash of the data set was {stored} and is now {found}.</source>
        <translation>运行按要求使用与之前不同的数据继续：数据集的哈希原为 {stored}，现为 {found}。</translation>
    </message>
    <message>
        <source>A checkpoint cannot be saved to {file}: {@reason}. Training waits until there is room again.</source>
        <translation>无法把检查点保存到 {file}：{@reason}。训练将等待，直到重新有空间。</translation>
    </message>
    <message>
        <source>images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>images of {size} pixels</source>
        <translation> {size} 像素的图像</translation>
    </message>
    <message>
        <source>images of 28x28 or 32x32 pixels</source>
        <translation> 28x28 或 32x32 像素的图像</translation>
    </message>
    <message>
        <source>{#samples} samples of {width}x{height}x{channels} bytes</source>
        <translation>{#samples} 个 {width}x{height}x{channels} 字节的样本</translation>
    </message>
    <message>
        <source>{#samples} samples of {#block} tokens</source>
        <translation>{#samples} 个 {#block} 词元的样本</translation>
    </message>
    <message>
        <source>a text of {#bytes} bytes</source>
        <translation>{#bytes} 字节的文本</translation>
    </message>
    <message>
        <source>the model only takes images of these sizes in pixels: {sizes}</source>
        <translation>该模型只接受以下像素尺寸的图像：{sizes}</translation>
    </message>
    <message>
        <source>Set data.resize = {best}, or choose model.name = &quot;{otherModel}&quot;</source>
        <translation>请设置 data.resize = {best}，或选择 model.name = &quot;{otherModel}&quot;</translation>
    </message>
    <message>
        <source>Set data.resize = 32</source>
        <translation>请设置 data.resize = 32</translation>
    </message>
    <message>
        <source>Set model.name = &quot;{fittingModel}&quot;, or data.dataset = &quot;{fittingDataset}&quot;</source>
        <translation>请设置 model.name = &quot;{fittingModel}&quot; 或 data.dataset = &quot;{fittingDataset}&quot;</translation>
    </message>
    <message>
        <source>every head takes an equal share of the width, which is {ofWidth}</source>
        <translation>每个注意力头平分宽度，而宽度为 {ofWidth}</translation>
    </message>
    <message>
        <source>it ended or could not be read further at byte {at}</source>
        <translation>它在字节 {at} 处结束，或无法继续读取</translation>
    </message>
    <message>
        <source>it has no parameter {parameter}</source>
        <translation>它没有参数 {parameter}</translation>
    </message>
    <message>
        <source>parameter {parameter} has another shape</source>
        <translation>参数 {parameter} 的形状不同</translation>
    </message>
    <message>
        <source>parameter {parameter} has another precision</source>
        <translation>参数 {parameter} 的精度不同</translation>
    </message>
    <message>
        <source>there is no {parameter} of the size and type needed</source>
        <translation>没有所需大小和类型的 {parameter}</translation>
    </message>
    <message>
        <source>its open window is damaged</source>
        <translation>其中尚未完成的累积窗口已损坏</translation>
    </message>
    <message>
        <source>it is not a resume bundle</source>
        <translation>它不是恢复包</translation>
    </message>
    <message>
        <source>its content does not have the hash written with it</source>
        <translation>其内容与一同写入的哈希不符</translation>
    </message>
    <message>
        <source>it belongs to another model</source>
        <translation>它属于另一个模型</translation>
    </message>
    <message>
        <source>it holds a tensor of type {detail}</source>
        <translation>它含有类型为 {detail} 的张量</translation>
    </message>
    <message>
        <source>a tensor&apos;s description is not plausible</source>
        <translation>某个张量的描述不合理</translation>
    </message>
    <message>
        <source>a tensor&apos;s shape is not plausible</source>
        <translation>某个张量的形状不合理</translation>
    </message>
    <message>
        <source>a tensor&apos;s data lie outside the file or disagree with its shape</source>
        <translation>某个张量的数据超出文件范围，或与其形状不符</translation>
    </message>
    <message>
        <source>tensor {detail} has a type that is not written</source>
        <translation>张量 {detail} 的类型无法写入</translation>
    </message>
    <message>
        <source>it is shorter than a header</source>
        <translation>它比文件头还短</translation>
    </message>
    <message>
        <source>its header promises {detail} bytes</source>
        <translation>其文件头声明有 {detail} 字节</translation>
    </message>
    <message>
        <source>its header is not an object</source>
        <translation>其文件头不是对象</translation>
    </message>
    <message>
        <source>its header is not valid: {detail}</source>
        <translation>其文件头无效：{detail}</translation>
    </message>
    <message>
        <source>its tensors overlap, leave holes, or do not reach its end</source>
        <translation>其中的张量相互重叠、留有空隙，或未到达文件末尾</translation>
    </message>
    <message>
        <source>attempts are out of order</source>
        <translation>运行次数的顺序不对</translation>
    </message>
    <message>
        <source>column config of study {study} has an impossible value</source>
        <translation>研究 {study} 的 config 列的值不可能</translation>
    </message>
    <message>
        <source>column parameter_values of micro_steps is not a list</source>
        <translation>micro_steps 的 parameter_values 列不是列表</translation>
    </message>
    <message>
        <source>a checkpoint of run {run} is of no known kind</source>
        <translation>运行 {run} 的一个检查点类型未知</translation>
    </message>
    <message>
        <source>a checkpoint of run {run} lies outside its folder</source>
        <translation>运行 {run} 的一个检查点在其文件夹之外</translation>
    </message>
    <message>
        <source>a run has an impossible id</source>
        <translation>某个运行的编号不可能</translation>
    </message>
    <message>
        <source>column {column} of run {run} has an impossible value</source>
        <translation>运行 {run} 的 {column} 列的值不可能</translation>
    </message>
    <message>
        <source>&quot;{run}&quot; is not a run id</source>
        <translation>“{run}”不是运行的编号</translation>
    </message>
    <message>
        <source>a batch is already open</source>
        <translation>已有一批写入正在进行</translation>
    </message>
    <message>
        <source>no batch is open</source>
        <translation>没有正在进行的一批写入</translation>
    </message>
    <message>
        <source>the batch was given up</source>
        <translation>这批写入已被放弃</translation>
    </message>
    <message>
        <source>it is read-only</source>
        <translation>它只能读取</translation>
    </message>
    <message>
        <source>an audit</source>
        <translation>审计时</translation>
    </message>
    <message>
        <source>the library</source>
        <translation>实验库</translation>
    </message>
    <message>
        <source>a look-up</source>
        <translation>查询时</translation>
    </message>
    <message>
        <source>planning</source>
        <translation>规划时</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练时</translation>
    </message>
    <message>
        <source>it has no valid path</source>
        <translation>其路径无效</translation>
    </message>
    <message>
        <source>its folder cannot be created: {problem}</source>
        <translation>无法创建其文件夹：{problem}</translation>
    </message>
    <message>
        <source>Several studies begin with {text}.</source>
        <translation>有多个研究以 {text} 开头。</translation>
    </message>
    <message>
        <source>{by} has started {ranks} ranks, but this build of Accumulus has no MPI.</source>
        <translation>{by} 启动了 {ranks} 个 rank，但这个 Accumulus 构建不含 MPI。</translation>
    </message>
    <message>
        <source>It was built where MPI was not found, or its module was removed.</source>
        <translation>构建时没有找到 MPI，或者其模块已被删除。</translation>
    </message>
    <message>
        <source>Install MPI with its development files (libopenmpi-dev) and build again, or start without {by}.</source>
        <translation>请安装 MPI 及其开发文件（libopenmpi-dev）后重新构建，或不用 {by} 启动。</translation>
    </message>
    <message>
        <source>MPI cannot be started with {file}.</source>
        <translation>无法用 {file} 启动 MPI。</translation>
    </message>
    <message>
        <source>Start with the mpirun of the MPI that Accumulus was built with, or without mpirun and srun.</source>
        <translation>请使用构建 Accumulus 时所用 MPI 的 mpirun 启动，或不用 mpirun 和 srun 启动。</translation>
    </message>
    <message>
        <source>Rank {rank} ended the run.</source>
        <translation>rank {rank} 结束了运行。</translation>
    </message>
    <message>
        <source>The log of rank {rank} says more. The run can be resumed from its newest checkpoint.</source>
        <translation>详情见 rank {rank} 的日志。该运行可以从最新的检查点继续。</translation>
    </message>
    <message>
        <source>Rank {rank} ({host}, process {pid}) does not respond.</source>
        <translation>rank {rank}（{host}，进程 {pid}）没有响应。</translation>
    </message>
    <message>
        <source>The newest checkpoint stays. The run can be resumed from it, on any number of ranks.</source>
        <translation>最新的检查点会保留。可以在任意数量的 rank 上从它继续该运行。</translation>
    </message>
    <message>
        <source>Rank 0 has {first}, rank {rank} {other}.</source>
        <translation>rank 0 为 {first}，rank {rank} 为 {other}。</translation>
    </message>
    <message>
        <source>Start the same program with the same files on all machines.</source>
        <translation>请在所有机器上用相同的文件启动相同的程序。</translation>
    </message>
    <message>
        <source>batch.devices = {devices}, but {ranks} ranks were started.</source>
        <translation>batch.devices = {devices}，但启动了 {ranks} 个 rank。</translation>
    </message>
    <message>
        <source>Set batch.devices = 1 to take the number of ranks, or start {devices} ranks.</source>
        <translation>请设置 batch.devices = 1 以采用 rank 的数量，或启动 {devices} 个 rank。</translation>
    </message>
    <message>
        <source>the module belongs to another build of Accumulus</source>
        <translation>该模块属于另一个 Accumulus 构建</translation>
    </message>
    <message>
        <source>MPI knows of {found} ranks, but {by} has started {ranks}</source>
        <translation>MPI 只知道 {found} 个 rank，但 {by} 启动了 {ranks} 个</translation>
    </message>
    <message>
        <source>it was built for programs of one thread</source>
        <translation>它是为单线程程序构建的</translation>
    </message>
    <message>
        <source>rank {rank} does not respond</source>
        <translation>rank {rank} 没有响应</translation>
    </message>
    <message>
        <source>Rank {rank} cannot join: its {@what} differs.</source>
        <translation>rank {rank} 无法加入：它的{@what}不同。</translation>
    </message>
    <message>
        <source>The weights of rank {rank} differ from those of rank 0 after update {update}.</source>
        <translation>第 {update} 次参数更新后，rank {rank} 的权重与 rank 0 不同。</translation>
    </message>
    <message>
        <source>Please report this with the logs of both ranks.</source>
        <translation>请附上两个 rank 的日志报告此问题。</translation>
    </message>
    <message>
        <source>{ranks} ranks cannot be started: there is no mpirun.</source>
        <translation>无法启动 {ranks} 个 rank：没有 mpirun。</translation>
    </message>
    <message>
        <source>No folder of PATH has a program of this name.</source>
        <translation>PATH 的各个文件夹中都没有这个程序。</translation>
    </message>
    <message>
        <source>Install Open MPI (openmpi-bin), or set batch.devices = 1.</source>
        <translation>请安装 Open MPI（openmpi-bin），或设置 batch.devices = 1。</translation>
    </message>
    <message>
        <source>{ranks} ranks cannot be started: accumulus-cli is missing.</source>
        <translation>无法启动 {ranks} 个 rank：缺少 accumulus-cli。</translation>
    </message>
    <message>
        <source>It was expected beside this program.</source>
        <translation>它应当位于本程序旁边。</translation>
    </message>
    <message>
        <source>Install Accumulus again, or set batch.devices = 1.</source>
        <translation>请重新安装 Accumulus，或设置 batch.devices = 1。</translation>
    </message>
    <message>
        <source>{ranks} ranks cannot be started: this build of Accumulus has no MPI.</source>
        <translation>无法启动 {ranks} 个 rank：这个 Accumulus 构建不含 MPI。</translation>
    </message>
    <message>
        <source>Install MPI with its development files (libopenmpi-dev) and build again, or set batch.devices = 1.</source>
        <translation>请安装 MPI 及其开发文件（libopenmpi-dev）并重新构建，或设置 batch.devices = 1。</translation>
    </message>
    <message>
        <source>{program} cannot be started.</source>
        <translation>无法启动 {program}。</translation>
    </message>
    <message>
        <source>Check that it is there and may be executed.</source>
        <translation>请检查它是否存在且可以执行。</translation>
    </message>
    <message>
        <source>The training process ended before its study was complete: {@how}.</source>
        <translation>负责训练的进程在研究结束之前就已退出：{@how}。</translation>
    </message>
    <message>
        <source>What was recorded stays in the library. The run shows as interrupted and can be resumed.</source>
        <translation>库中的内容会保留。该运行显示为已中断，可以继续。</translation>
    </message>
    <message>
        <source>The training process sent a message that cannot be read.</source>
        <translation>训练进程发来的内容无法读取。</translation>
    </message>
    <message>
        <source>Use the same version of Accumulus in both places. The results are in the library of the machine that trained.</source>
        <translation>请在两处使用相同版本的 Accumulus。训练结果在训练所在处的库中。</translation>
    </message>
    <message>
        <source>version of the program</source>
        <translation>程序版本</translation>
    </message>
    <message>
        <source>experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>devices are ranks: processes that are started together</source>
        <translation>设备就是 rank：一起启动的进程</translation>
    </message>
    <message>
        <source>Set batch.devices = 1, or start one process per device: mpirun -n {value} accumulus-cli run FILE</source>
        <translation>请设置 batch.devices = 1，或以同样数量的进程启动：mpirun -n {value} accumulus-cli run FILE</translation>
    </message>
    <message>
        <source>exit code {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>signal {signal}</source>
        <translation>信号 {signal}</translation>
    </message>
    <message>
        <source>its last output was: {line}</source>
        <translation>它最后输出：{line}</translation>
    </message>
    <message>
        <source>it did not say why</source>
        <translation>它没有说明原因</translation>
    </message>
    <message>
        <source>a line is no JSON object</source>
        <translation>有一行不是 JSON 对象</translation>
    </message>
    <message>
        <source>there is no event {value}</source>
        <translation>没有名为 {value} 的事件</translation>
    </message>
    <message>
        <source>an event has no {member}</source>
        <translation>某个事件缺少 {member}</translation>
    </message>
    <message>
        <source>the value {value} does not fit {member}</source>
        <translation>值 {value} 不适合 {member}</translation>
    </message>
    <message>
        <source>its log ends with: {line}</source>
        <translation>其日志的结尾是：{line}</translation>
    </message>
    <message>
        <source>it could not write a checkpoint</source>
        <translation>它无法写入检查点</translation>
    </message>
    <message>
        <source>gradients that are added one by one during the backward pass cannot be sent in every micro-step</source>
        <translation>在反向传播期间逐个相加的梯度无法在每个微步中发送</translation>
    </message>
    <message>
        <source>Set batch.lean = false, or parallel.mode = &quot;ddp&quot; and parallel.order = &quot;ranks&quot;</source>
        <translation>请设置 batch.lean = false，或设置 parallel.mode = &quot;ddp&quot; 且 parallel.order = &quot;ranks&quot;</translation>
    </message>
    <message>
        <source>it was killed, it hangs, or its machine cannot be reached</source>
        <translation>它被终止或已停止响应，或者其所在计算机无法连接</translation>
    </message>
    <message>
        <source>{#ranks} ranks: sent {sent} per update and rank, waiting {waiting}, reducing {reducing}; slowest: rank {slowest}</source>
        <translation>{#ranks} 个 rank：每次更新每个 rank 发送 {sent}，等待 {waiting}，归约 {reducing}；最慢：rank {slowest}</translation>
    </message>
    <message>
        <source>{#ranks} ranks: sent {sent} per update and rank ({formula}: {expected}), waiting {waiting}, reducing {reducing}; slowest: rank {slowest}</source>
        <translation>{#ranks} 个 rank：每次更新每个 rank 发送 {sent}（{formula}：{expected}），等待 {waiting}，归约 {reducing}；最慢：rank {slowest}</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Sent per update and rank</source>
        <translation>每次更新每个 rank 发送</translation>
    </message>
    <message>
        <source>Waiting (share of time)</source>
        <translation>等待（时间占比）</translation>
    </message>
    <message>
        <source>Reducing (share of time)</source>
        <translation>归约（时间占比）</translation>
    </message>
    <message>
        <source>Slowest rank</source>
        <translation>最慢的 rank</translation>
    </message>
    <message>
        <source>{value} (in {#runs} of {#all} runs)</source>
        <translation>{value}（{#all} 次运行中的 {#runs} 次）</translation>
    </message>
    <message>
        <source>{host} is not a host name that ssh accepts.</source>
        <translation>{host} 不能作为 ssh 的主机名。</translation>
    </message>
    <message>
        <source>A name may not begin with a dash, or hold blanks and quotes.</source>
        <translation>名称不能以连字符开头，也不能包含空白和引号。</translation>
    </message>
    <message>
        <source>Name a host as in `ssh HOST`: an address, user@address, or an entry of ssh&apos;s own configuration.</source>
        <translation>请按 `ssh HOST` 的写法指定主机：地址、user@地址，或 ssh 自身配置中的条目。</translation>
    </message>
    <message>
        <source>There is no {program} here.</source>
        <translation>这里没有 {program}。</translation>
    </message>
    <message>
        <source>Install OpenSSH&apos;s client (openssh-client).</source>
        <translation>请安装 OpenSSH 客户端（openssh-client）。</translation>
    </message>
    <message>
        <source>Check that `ssh {host}` connects without prompting: Accumulus does not ask for passwords; it uses ssh&apos;s own keys and configuration.</source>
        <translation>请确认 `ssh {host}` 无需任何输入即可连接：Accumulus 不询问密码，使用 ssh 自身的密钥和配置。</translation>
    </message>
    <message>
        <source>Install Accumulus on {host}, or name the program with --remote-program PATH.</source>
        <translation>请在 {host} 上安装 Accumulus，或用 --remote-program PATH 指定程序。</translation>
    </message>
    <message>
        <source>`accumulus-cli list` shows the runs; to continue one that has ended, use `accumulus-cli resume RUN`.</source>
        <translation>`accumulus-cli list` 会列出运行；已结束的运行用 `accumulus-cli resume RUN` 继续。</translation>
    </message>
    <message>
        <source>No study in progress elsewhere matches {launch}.</source>
        <translation>在别处进行的研究中没有名为 {launch} 的。</translation>
    </message>
    <message>
        <source>In progress: {candidates}.</source>
        <translation>正在进行的有：{candidates}。</translation>
    </message>
    <message>
        <source>Name one of them by the first characters of its id. If there is only one, you can leave out the id.</source>
        <translation>请用其 id 的开头指明其中一个；只有一个时可以不指明。</translation>
    </message>
    <message>
        <source>Several studies are trained elsewhere.</source>
        <translation>有多项研究在别处训练。</translation>
    </message>
    <message>
        <source>Name one of them.</source>
        <translation>请指定其中一项。</translation>
    </message>
    <message>
        <source>There is nothing to fetch for run {run}.</source>
        <translation>运行 {run} 没有可取回的内容。</translation>
    </message>
    <message>
        <source>It was trained on this machine.</source>
        <translation>它是在本机训练的。</translation>
    </message>
    <message>
        <source>Its checkpoints are in the library&apos;s folder.</source>
        <translation>它的检查点在库的文件夹中。</translation>
    </message>
    <message>
        <source>Run {run} was trained on this machine.</source>
        <translation>运行 {run} 是在本机训练的。</translation>
    </message>
    <message>
        <source>Its checkpoints are here, and no other machine knows it.</source>
        <translation>它的检查点在这里，其他计算机没有这个运行。</translation>
    </message>
    <message>
        <source>Resume it here, without --on, --slurm and --remote-program.</source>
        <translation>请在这里继续它，不使用 --on、--slurm 和 --remote-program。</translation>
    </message>
    <message>
        <source>Check the connection and that the run&apos;s files are still there.</source>
        <translation>请检查连接，并确认运行的文件仍在那里。</translation>
    </message>
    <message>
        <source>{name} is not a valid journal name.</source>
        <translation>{name} 不能作为日志的名称。</translation>
    </message>
    <message>
        <source>It becomes the name of a folder.</source>
        <translation>它会成为文件夹的名称。</translation>
    </message>
    <message>
        <source>Use letters, digits and dashes, 64 at most.</source>
        <translation>请使用字母、数字和连字符，最多 64 个。</translation>
    </message>
    <message>
        <source>Submit from a machine of the Slurm cluster, or leave out --slurm.</source>
        <translation>请从 Slurm 集群的计算机提交，或去掉 --slurm。</translation>
    </message>
    <message>
        <source>Slurm rejected the job.</source>
        <translation>Slurm 不接受该作业。</translation>
    </message>
    <message>
        <source>Check the options given with --slurm, and `sinfo`.</source>
        <translation>请检查 --slurm 给出的选项和 `sinfo`。</translation>
    </message>
    <message>
        <source>The checkpoint {file} of run {run} is not here.</source>
        <translation>运行 {run} 的检查点 {file} 不在这里。</translation>
    </message>
    <message>
        <source>Copy it with `accumulus-cli fetch {run}{library}`.</source>
        <translation>请用 `accumulus-cli fetch {run}{library}` 取回。</translation>
    </message>
    <message>
        <source>Slurm job {job} waits in the queue ({reason}).</source>
        <translation>Slurm 作业 {job} 正在排队（{reason}）。</translation>
    </message>
    <message>
        <source>Slurm job {job} runs on {nodes}.</source>
        <translation>Slurm 作业 {job} 在 {nodes} 上运行。</translation>
    </message>
    <message>
        <source>{host} cannot be reached over ssh.</source>
        <translation>无法通过 ssh 连接 {host}。</translation>
    </message>
    <message>
        <source>{program} cannot be started on {host}.</source>
        <translation>无法在 {host} 上启动 {program}。</translation>
    </message>
    <message>
        <source>Nothing was started on {@host}.</source>
        <translation>没有在{@host}上开始任何训练。</translation>
    </message>
    <message>
        <source>It has not answered yet.</source>
        <translation>尚未得到应答。</translation>
    </message>
    <message>
        <source>Start it again when {@host} answers.</source>
        <translation>等{@host}有应答后再重新开始。</translation>
    </message>
    <message>
        <source>Check that the same version of Accumulus is installed there.</source>
        <translation>请确认那里安装的是相同版本的 Accumulus。</translation>
    </message>
    <message>
        <source>No study is in progress elsewhere.</source>
        <translation>没有正在别处进行的研究。</translation>
    </message>
    <message>
        <source>{file} cannot be fetched from {@host}.</source>
        <translation>无法从{@host}取回 {file}。</translation>
    </message>
    <message>
        <source>The study is unknown on the machine that should train it.</source>
        <translation>训练位置没有这项研究。</translation>
    </message>
    <message>
        <source>It was never started there, or its journal {folder} was removed.</source>
        <translation>它从未在那里开始，或者其日志 {folder} 已被删除。</translation>
    </message>
    <message>
        <source>Its runs may still be in the library over there. `accumulus-cli follow --forget STUDY` forgets it here.</source>
        <translation>它的运行可能仍在那里的库中。`accumulus-cli follow --forget STUDY` 可在这里不再跟踪它。</translation>
    </message>
    <message>
        <source>Both sides would write the library {file}.</source>
        <translation>两边会写入同一个库 {file}。</translation>
    </message>
    <message>
        <source>A study trained elsewhere is recorded twice: there, by the process that trains it, and here.</source>
        <translation>在别处训练的研究会记录两次：在那里由训练程序记录，在这里也记录。</translation>
    </message>
    <message>
        <source>Use --remote-library FILE to give the training process another library.</source>
        <translation>请用 --remote-library FILE 为训练程序指定另一个库。</translation>
    </message>
    <message>
        <source>accumulus-cli is missing.</source>
        <translation>缺少 accumulus-cli。</translation>
    </message>
    <message>
        <source>Install Accumulus again.</source>
        <translation>请重新安装 Accumulus。</translation>
    </message>
    <message>
        <source>Another process follows this study.</source>
        <translation>另一个进程正在跟踪这项研究。</translation>
    </message>
    <message>
        <source>It is process {process} on this machine.</source>
        <translation>它是本机的进程 {process}。</translation>
    </message>
    <message>
        <source>Stop following it there first, or end that process.</source>
        <translation>请先在那里退出跟踪，或结束该进程。</translation>
    </message>
    <message>
        <source>Run {run} is still trained elsewhere.</source>
        <translation>运行 {run} 仍在别处训练。</translation>
    </message>
    <message>
        <source>It would be trained twice.</source>
        <translation>否则会训练两次。</translation>
    </message>
    <message>
        <source>Follow it and stop it first: `accumulus-cli follow`.</source>
        <translation>请先跟踪并停止它：`accumulus-cli follow`。</translation>
    </message>
    <message>
        <source>Run {run} is still open on {@host}, so {options} would have no effect.</source>
        <translation>运行 {run} 在{@host}上尚未结束，因此 {options} 不会有作用。</translation>
    </message>
    <message>
        <source>It continues with the options it was started with.</source>
        <translation>它按开始时的方式继续。</translation>
    </message>
    <message>
        <source>Leave that out to follow it. Or stop it there first with `accumulus-cli follow` and Ctrl+C, and resume it when it has ended.</source>
        <translation>去掉这些选项即可跟踪它。或者先用 `accumulus-cli follow` 和 Ctrl+C 在那里停止它，待它结束后再继续。</translation>
    </message>
    <message>
        <source>Run {run} was trained on {@host}.</source>
        <translation>运行 {run} 是在{@host}上训练的。</translation>
    </message>
    <message>
        <source>Its checkpoints are there.</source>
        <translation>它的检查点在那里。</translation>
    </message>
    <message>
        <source>Resume it without --on, or bring it here with --here.</source>
        <translation>请不带 --on 继续它，或用 --here 把它取回这里。</translation>
    </message>
    <message>
        <source>It lies where the run was trained: {@host}, {folder}.</source>
        <translation>它在训练该运行的位置：{@host}，{folder}。</translation>
    </message>
    <message>
        <source>The connection to {@host} is lost. Training there continues without it. Trying again in {seconds} s.</source>
        <translation>与{@host}的连接已中断。那里的训练不依赖连接。{seconds} 秒后重试。</translation>
    </message>
    <message>
        <source>The study is paused. `accumulus-cli follow --resume` lets it go on.</source>
        <translation>研究已暂停。`accumulus-cli follow --resume` 可让它继续。</translation>
    </message>
    <message>
        <source>{@host} has another version of Accumulus: {there} there, {here} here.</source>
        <translation>{@host}上的 Accumulus 版本不同：那里是 {there}，这里是 {here}。</translation>
    </message>
    <message>
        <source>The connection to {@host} is back.</source>
        <translation>与{@host}的连接已恢复。</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Run {run} has no estimate of the gradient noise scale.</source>
        <translation>运行 {run} 没有梯度噪声尺度的估计。</translation>
    </message>
    <message>
        <source>{study} is a study of {runs} runs; --by-layer computes at the weights of one run.</source>
        <translation>{study} 是含 {runs} 次运行的研究；--by-layer 在单次运行的权重处计算。</translation>
    </message>
    <message>
        <source>Name a run of it, for example `accumulus-cli noise {run}{library} --by-layer`.</source>
        <translation>请指定其中一次运行，例如 `accumulus-cli noise {run}{library} --by-layer`。</translation>
    </message>
    <message>
        <source>There is no kind of checkpoint called {checkpoint}.</source>
        <translation>没有名为 {checkpoint} 的检查点类型。</translation>
    </message>
    <message>
        <source>Use initial, best or last.</source>
        <translation>请使用 initial、best 或 last。</translation>
    </message>
    <message>
        <source>An effective batch of one sample has no noise to measure.</source>
        <translation>有效批大小为一个样本时没有噪声可测。</translation>
    </message>
    <message>
        <source>The noise is measured by how much the gradients of the parts of a batch differ.</source>
        <translation>噪声是同一批量各部分的梯度彼此相差的程度。</translation>
    </message>
    <message>
        <source>Set batch.effective to 2 or more.</source>
        <translation>请将 batch.effective 设为 2 或更大。</translation>
    </message>
    <message>
        <source>The gradients of run {run} at its {checkpoint} weights are not finite.</source>
        <translation>运行 {run} 在其 {checkpoint} 权重处的梯度不是有限值。</translation>
    </message>
    <message>
        <source>Choose another checkpoint, or lower the learning rate and train again.</source>
        <translation>请选择另一个检查点，或降低学习率后重新训练。</translation>
    </message>
    <message>
        <source>The measurement was cancelled.</source>
        <translation>测量已取消。</translation>
    </message>
    <message>
        <source>about {#value} samples ({confidence} %: {#low} to {#high}), an order of magnitude</source>
        <translation>约 {#value} 个样本（{confidence} %：{#low} 至 {#high}），仅为数量级</translation>
    </message>
    <message>
        <source>about {#value} tokens ({confidence} %: {#low} to {#high}), an order of magnitude</source>
        <translation>约 {#value} 个词元（{confidence} %：{#low} 至 {#high}），仅为数量级</translation>
    </message>
    <message>
        <source>not identified ({#windows} windows): the gradient&apos;s mean cannot be told from its noise</source>
        <translation>无法确定（{#windows} 个累积窗口）：梯度均值淹没在噪声之中</translation>
    </message>
    <message>
        <source>not identified (1 window): the gradient&apos;s mean cannot be told from its noise</source>
        <translation>无法确定（1 个累积窗口）：梯度均值淹没在噪声之中</translation>
    </message>
    <message>
        <source>about {#value} samples; parts of the run: {#parts}, from {#low} to {#high}</source>
        <translation>约 {#value} 个样本；运行分为 {#parts} 段，从 {#low} 到 {#high}</translation>
    </message>
    <message>
        <source>about {#value} tokens; parts of the run: {#parts}, from {#low} to {#high}</source>
        <translation>约 {#value} 个词元；运行分为 {#parts} 段，从 {#low} 到 {#high}</translation>
    </message>
    <message>
        <source>{@noise}.</source>
        <translation>{@noise}。</translation>
    </message>
    <message>
        <source>its windows are one micro-batch (K = 1), and a single gradient has no spread</source>
        <translation>其累积窗口只有一个微批次（K = 1），单个梯度没有离散程度可言</translation>
    </message>
    <message>
        <source>its windows do not hold the mean over all samples (loss.normalise)</source>
        <translation>其累积窗口的结果不是全部样本的均值（loss.normalise）</translation>
    </message>
    <message>
        <source>no window of at least two micro-batches has been recorded</source>
        <translation>尚未记录至少含两个微批次的累积窗口</translation>
    </message>
    <message>
        <source>none of its windows has two micro-batches with finite gradients</source>
        <translation>没有一个累积窗口含有两个梯度有限的微批次</translation>
    </message>
    <message>
        <source>Ask for its accumulated partner, or measure at its weights with --by-layer</source>
        <translation>请查询与其配对的梯度累积运行，或用 --by-layer 在其权重处测量</translation>
    </message>
    <message>
        <source>Train with loss.normalise = &quot;samples&quot; or &quot;tokens&quot;, or measure at its weights with --by-layer</source>
        <translation>请以 loss.normalise = &quot;samples&quot; 或 &quot;tokens&quot; 训练，或用 --by-layer 在其权重处测量</translation>
    </message>
    <message>
        <source>Let it train on, or measure at its weights with --by-layer</source>
        <translation>请让它继续训练，或用 --by-layer 在其权重处测量</translation>
    </message>
    <message>
        <source>The library&apos;s record of an audit cannot be read.</source>
        <translation>无法读取库中保存的审计。</translation>
    </message>
    <message>
        <source>Run the audit again.</source>
        <translation>请重新审计。</translation>
    </message>
    <message>
        <source>An experiment file has initial weights only.</source>
        <translation>实验文件只有初始权重。</translation>
    </message>
    <message>
        <source>Name a run in order to audit its best or last checkpoint.</source>
        <translation>要审计最佳或最后的检查点，请指定一次运行。</translation>
    </message>
    <message>
        <source>The audit was cancelled.</source>
        <translation>审计已取消。</translation>
    </message>
    <message>
        <source>Run it again; no partial result was kept.</source>
        <translation>请重新运行：没有保存任何内容。</translation>
    </message>
    <message>
        <source>An effective batch of {effective} cannot be cut into two micro-batches.</source>
        <translation>有效批大小 {effective} 无法切成两个微批次。</translation>
    </message>
    <message>
        <source>An audit compares a large batch with the micro-batches that it is cut into.</source>
        <translation>审计把大批量与切分出的微批次相比较。</translation>
    </message>
    <message>
        <source>The training set of {samples} samples is too small for an audit of effective batch {effective}.</source>
        <translation>训练集只有 {samples} 个样本，不足以审计有效批大小 {effective}。</translation>
    </message>
    <message>
        <source>Use a smaller effective batch, or more data.</source>
        <translation>请使用更小的有效批大小或更多数据。</translation>
    </message>
    <message>
        <source>The gradient is not finite at these weights.</source>
        <translation>在这些权重处梯度不是有限值。</translation>
    </message>
    <message>
        <source>The run has diverged, or the loss scale is too large.</source>
        <translation>运行已发散，或损失缩放过大。</translation>
    </message>
    <message>
        <source>Audit another checkpoint, or the initial weights.</source>
        <translation>请审计另一个检查点或初始权重。</translation>
    </message>
    <message>
        <source>The fault &quot;{@fault}&quot; cannot be built in here.</source>
        <translation>错误“{@fault}”无法植入这里。</translation>
    </message>
    <message>
        <source>Choose another fault, or change that setting.</source>
        <translation>请选择另一个错误，或修改该设置。</translation>
    </message>
    <message>
        <source>There is no fault {fault}.</source>
        <translation>没有名为 {fault} 的错误。</translation>
    </message>
    <message>
        <source>Choose one of: {faults}.</source>
        <translation>请从中选择：{faults}。</translation>
    </message>
    <message>
        <source>{file} does not hold the gradients that an audit needs.</source>
        <translation>{file} 中没有审计所需的梯度。</translation>
    </message>
    <message>
        <source>See `accumulus-cli audit --help` for what the files hold.</source>
        <translation>文件应包含的内容见 `accumulus-cli audit --help`。</translation>
    </message>
    <message>
        <source>Needs about {needed} ({@source}), {@room}.</source>
        <translation>约需 {needed}（{@source}），{@room}。</translation>
    </message>
    <message>
        <source>Memory grows with the micro-batch, not with the effective batch.</source>
        <translation>内存随微批次增长，而不随有效批大小增长。</translation>
    </message>
    <message>
        <source>Use a smaller micro-batch; with more accumulation steps the effective batch stays the same.</source>
        <translation>使用更小的微批次；累积步数相应增加，有效批大小不变。</translation>
    </message>
    <message>
        <source>The result of a trial or an earlier plan cannot be read.</source>
        <translation>试运行或先前规划的内容无法读取。</translation>
    </message>
    <message>
        <source>It is not what this version of Accumulus writes.</source>
        <translation>它不是此版本 Accumulus 写出的内容。</translation>
    </message>
    <message>
        <source>Plan again with --fresh.</source>
        <translation>用 --fresh 重新规划。</translation>
    </message>
    <message>
        <source>Micro-batches of {micro} cannot make up an effective batch of {effective}.</source>
        <translation>{micro} 的微批次无法组成 {effective} 的有效批大小。</translation>
    </message>
    <message>
        <source>A size may not be larger, and it must divide the batch unless a smaller last micro-batch is allowed.</source>
        <translation>大小不能超过它，并且必须整除它，除非允许最后一个微批次较小。</translation>
    </message>
    <message>
        <source>Choose divisors of {effective}, or plan with --ragged.</source>
        <translation>选择 {effective} 的约数，或用 --ragged 规划。</translation>
    </message>
    <message>
        <source>Sizes cannot be tried: accumulus-cli is missing.</source>
        <translation>无法尝试各个大小：缺少 accumulus-cli。</translation>
    </message>
    <message>
        <source>Equivalent: worst tensor {tensor} {error}, tolerance {tolerance}</source>
        <translation>等价：最差张量 {tensor} {error}，容差 {tolerance}</translation>
    </message>
    <message>
        <source>Equivalent but for rounding: worst tensor {tensor} {error}, tolerance {tolerance}</source>
        <translation>除舍入外等价：最差张量 {tensor} {error}，容差 {tolerance}</translation>
    </message>
    <message>
        <source>Not equivalent: micro-batches of unequal size count alike (mean of means); worst tensor {tensor} {error}</source>
        <translation>不等价：大小不同的微批次权重相同（均值的均值）；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: factor {factor} on all tensors: the sum was not divided by K</source>
        <translation>不等价：所有张量相差 {factor} 倍：和没有除以 K</translation>
    </message>
    <message>
        <source>Not equivalent: factor {factor}: the gradient was divided twice</source>
        <translation>不等价：相差 {factor} 倍：梯度被除了两次</translation>
    </message>
    <message>
        <source>Not equivalent: the short window at the end of an epoch has the wrong weight; worst tensor {tensor} {error}</source>
        <translation>不等价：轮末的短窗口权重有误；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: micro-batches are lost, the last one or those in the middle; worst tensor {tensor} {error}</source>
        <translation>不等价：丢失了微批次（最后一个或中间的）；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: only the last micro-batch counts; worst tensor {tensor} {error}</source>
        <translation>不等价：只有最后一个微批次起作用；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: each micro-batch weighs {ratio} times the next one</source>
        <translation>不等价：每个微批次的权重是下一个的 {ratio} 倍</translation>
    </message>
    <message>
        <source>Not equivalent: {ranks} ranks were not averaged by their units; worst tensor {tensor} {error}</source>
        <translation>不等价：{ranks} 个 rank 没有按单位数加权平均；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: gradients were clipped to {norm} at each micro-step instead of once</source>
        <translation>不等价：梯度在每个微步都被裁剪到 {norm}，而不是只裁剪一次</translation>
    </message>
    <message>
        <source>Not equivalent: gradients were summed with {bits} significant bits; worst tensor {tensor} {error}</source>
        <translation>不等价：梯度求和只有 {bits} 个有效位；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: the gradients of the window before are still there: they were not cleared</source>
        <translation>不等价：上一个窗口的梯度还在：没有清零</translation>
    </message>
    <message>
        <source>Not equivalent: factor {factor} on all tensors: the loss scale was not taken out</source>
        <translation>不等价：所有张量相差 {factor} 倍：没有除去损失缩放</translation>
    </message>
    <message>
        <source>Not equivalent: the weights changed within the window, as by a step() of the optimizer in each micro-step; worst tensor {tensor} {error}</source>
        <translation>不等价：权重在窗口内变了，例如优化器在每个微步都执行了 step()；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: weight decay was applied at each micro-step; worst tensor {tensor} {error}</source>
        <translation>不等价：权重衰减在每个微步都做了一次；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Expected: what is drawn (dropout, augmentation) depends on the order of calls, so the same samples give another gradient each time</source>
        <translation>意料之中：随机抽取（dropout、数据增强）取决于调用顺序，同样的样本每次给出不同的梯度</translation>
    </message>
    <message>
        <source>Expected: {layers} BatchNorm layers use the statistics of each micro-batch; worst tensor {tensor} {error}</source>
        <translation>意料之中：{layers} 个 BatchNorm 层使用各微批次自己的统计量；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: the sums are right, but a sample&apos;s gradient depends on the other samples of its micro-batch; worst tensor {tensor} {error}</source>
        <translation>不等价：求和正确，但样本的梯度取决于同一微批次中的其他样本；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: BatchNorm does not explain it, for the large batch in groups of the micro-batch differs as well; worst tensor {tensor} {error}</source>
        <translation>不等价：BatchNorm 不能解释，因为按微批次分组归一化的大批量同样不同；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: no weights of the micro-batches explain the gradient; worst tensor {tensor} {error}</source>
        <translation>不等价：微批次的任何权重都不能解释这个梯度；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: the micro-batches have wrong weights, but those of no mistake that is known; worst tensor {tensor} {error}</source>
        <translation>不等价：微批次的权重有误，但不属于任何已知错误；最差张量 {tensor} {error}</translation>
    </message>
    <message>
        <source>Not equivalent: factor {factor} on all tensors</source>
        <translation>不等价：所有张量相差 {factor} 倍</translation>
    </message>
    <message>
        <source>Not equivalent: worst tensor {tensor} {error}; with the micro-gradients the audit could say why</source>
        <translation>不等价：最差张量 {tensor} {error}；有了微梯度，审计就能说明原因</translation>
    </message>
    <message>
        <source>In fp64 the same gradients agree: rounding put some activations on the other side of a ReLU or a maximum.</source>
        <translation>在 fp64 中同样的梯度一致：舍入使某些激活落到了 ReLU 或最大值的另一侧。</translation>
    </message>
    <message>
        <source>The large batch normalised in groups of the micro-batch gives the same gradient: BatchNorm is the only difference.</source>
        <translation>按微批次分组归一化的大批量给出同样的梯度：BatchNorm 是唯一的差别。</translation>
    </message>
    <message>
        <source>Audited with micro-batch {micro}, so that a window has at least three micro-steps and nothing hides.</source>
        <translation>以微批次 {micro} 审计，使每个窗口至少有三个微步，错误无处隐藏。</translation>
    </message>
    <message>
        <source>Audited with {#steps} of {#all} micro-steps a window.</source>
        <translation>每个窗口审计 {#all} 个微步中的 {#steps} 个。</translation>
    </message>
    <message>
        <source>Clipping is off in an audit: it would hide a wrong factor.</source>
        <translation>审计时关闭梯度裁剪：它会掩盖错误的倍数。</translation>
    </message>
    <message>
        <source>Audited on one rank.</source>
        <translation>在一个 rank 上审计。</translation>
    </message>
    <message>
        <source>The short window at the end of an epoch makes no update (batch.tail = &quot;drop&quot;), so it was not audited.</source>
        <translation>轮末的短窗口不做参数更新（batch.tail = &quot;drop&quot;），因此没有审计。</translation>
    </message>
    <message>
        <source>The large batch does not fit into memory in one pass; the fp64 reference stands in for it.</source>
        <translation>大批量一次放不进内存；以 fp64 参考代替。</translation>
    </message>
    <message>
        <source>Tensor {tensor} is above the tolerance, but no further from the fp64 reference than the large batch allows.</source>
        <translation>张量 {tensor} 超出容差，但与 fp64 参考的距离并未超过大批量所允许的。</translation>
    </message>
    <message>
        <source>For this lesson dropout draws with probability {value}.</source>
        <translation>为了这次演示，dropout 以概率 {value} 抽取。</translation>
    </message>
    <message>
        <source>For this lesson images are cropped and flipped at random.</source>
        <translation>为了这次演示，图像被随机裁剪和翻转。</translation>
    </message>
    <message>
        <source>Without the micro-gradients only a common factor can be recognised.</source>
        <translation>没有微梯度时只能识别共同的倍数。</translation>
    </message>
    <message>
        <source>The micro-gradients are linearly dependent, so their fitted weights are one answer of many.</source>
        <translation>微梯度线性相关，因此拟合出的权重只是多种答案之一。</translation>
    </message>
    <message>
        <source>Loading data and weights</source>
        <translation>正在加载数据和权重</translation>
    </message>
    <message>
        <source>Accumulating {#windows} windows</source>
        <translation>正在累积 {#windows} 个窗口</translation>
    </message>
    <message>
        <source>Computing each micro-batch by itself</source>
        <translation>正在单独计算每个微批次</translation>
    </message>
    <message>
        <source>Computing the large batch</source>
        <translation>正在计算大批量</translation>
    </message>
    <message>
        <source>Computing the fp64 reference</source>
        <translation>正在计算 fp64 参考</translation>
    </message>
    <message>
        <source>Cutting the batch in other ways</source>
        <translation>正在以其他方式切分批量</translation>
    </message>
    <message>
        <source>Update {#update} of {#updates} both ways</source>
        <translation>两种方式的第 {#update} 次参数更新，共 {#updates} 次</translation>
    </message>
    <message>
        <source>Mean of means</source>
        <translation>均值的均值</translation>
    </message>
    <message>
        <source>Each micro-batch&apos;s mean is averaged, whatever its size: samples or tokens of small micro-batches count too much.</source>
        <translation>不论大小，对各微批次的均值再求平均：小微批次中的样本或词元权重过大。</translation>
    </message>
    <message>
        <source>Not divided by K</source>
        <translation>没有除以 K</translation>
    </message>
    <message>
        <source>The micro-batches&apos; gradients are added and not divided: the learning rate is K times what it says.</source>
        <translation>各微批次的梯度相加而不除：实际学习率是所写的 K 倍。</translation>
    </message>
    <message>
        <source>Divided twice</source>
        <translation>除了两次</translation>
    </message>
    <message>
        <source>The loss is divided by K, and so is the gradient: the learning rate is a K-th of what it says.</source>
        <translation>损失除以 K，梯度又除以 K：实际学习率是所写的 K 分之一。</translation>
    </message>
    <message>
        <source>Short window misweighted</source>
        <translation>短窗口权重有误</translation>
    </message>
    <message>
        <source>The last window of an epoch has fewer micro-batches, but is divided by K all the same, thrown away, or left over to the next epoch.</source>
        <translation>每轮的最后一个窗口微批次较少，却仍除以 K、被丢弃，或遗留到下一轮。</translation>
    </message>
    <message>
        <source>Micro-batches lost</source>
        <translation>丢失微批次</translation>
    </message>
    <message>
        <source>The update is made before the last micro-batch is added, or those in the middle are overwritten.</source>
        <translation>最后一个微批次还没加上就做了参数更新，或者中间的微批次被覆盖。</translation>
    </message>
    <message>
        <source>Only the last one kept</source>
        <translation>只保留最后一个</translation>
    </message>
    <message>
        <source>The sum is reset at every micro-step: the large batch is in truth the micro-batch.</source>
        <translation>每个微步都把和清零：所谓大批量其实就是微批次。</translation>
    </message>
    <message>
        <source>Geometric weights</source>
        <translation>等比权重</translation>
    </message>
    <message>
        <source>The running sum is scaled at every micro-step, so the first micro-batches weigh far more, or far less, than the last ones.</source>
        <translation>累计和在每个微步都被缩放，因此最前的微批次权重远大于或远小于最后的。</translation>
    </message>
    <message>
        <source>Ranks averaged wrongly</source>
        <translation>rank 间平均有误</translation>
    </message>
    <message>
        <source>Each rank divides by its own units, and the ranks&apos; means are averaged: samples of ranks with few units count too much.</source>
        <translation>每个 rank 除以自己的单位数，再对各 rank 的均值求平均：单位数少的 rank 中的样本权重过大。</translation>
    </message>
    <message>
        <source>Clipped at each micro-step</source>
        <translation>每个微步都裁剪</translation>
    </message>
    <message>
        <source>Gradients are clipped before they are added up, not once per update: large micro-gradients lose their weight.</source>
        <translation>梯度在相加之前就被裁剪，而不是每次参数更新裁剪一次：大的微梯度失去了权重。</translation>
    </message>
    <message>
        <source>Sum in low precision</source>
        <translation>低精度求和</translation>
    </message>
    <message>
        <source>Gradients are added up in 16 bits: small ones vanish beside the sum.</source>
        <translation>梯度用 16 位相加：小的梯度在和旁边消失。</translation>
    </message>
    <message>
        <source>Gradients not cleared</source>
        <translation>梯度没有清零</translation>
    </message>
    <message>
        <source>The gradient of one update is still there when the next window begins.</source>
        <translation>下一个窗口开始时，上一次参数更新的梯度还在。</translation>
    </message>
    <message>
        <source>Loss scale left in</source>
        <translation>没有除去损失缩放</translation>
    </message>
    <message>
        <source>The gradient is not divided by the loss scale of fp16 before it is used.</source>
        <translation>使用梯度之前没有除以 fp16 的损失缩放。</translation>
    </message>
    <message>
        <source>Draws by order of calls</source>
        <translation>按调用顺序抽取</translation>
    </message>
    <message>
        <source>Dropout or augmentation draws from a stream, so the split decides what is drawn for a sample.</source>
        <translation>dropout 或数据增强从一个随机流中抽取，因此如何切分决定了每个样本抽到什么。</translation>
    </message>
    <message>
        <source>Samples are coupled</source>
        <translation>样本相互耦合</translation>
    </message>
    <message>
        <source>The loss compares the samples of a micro-batch with each other: accumulation changes what is learned.</source>
        <translation>损失把微批次中的样本相互比较：累积改变了所学的内容。</translation>
    </message>
    <message>
        <source>BatchNorm</source>
        <translation>BatchNorm</translation>
    </message>
    <message>
        <source>Each micro-batch is normalised by its own statistics, not by those of the large batch.</source>
        <translation>每个微批次用自己的统计量归一化，而不是用大批量的。</translation>
    </message>
    <message>
        <source>Decay at each micro-step</source>
        <translation>每个微步都衰减</translation>
    </message>
    <message>
        <source>Weight decay is applied K times per update.</source>
        <translation>每次参数更新做了 K 次权重衰减。</translation>
    </message>
    <message>
        <source>It needs numerics.precision = &quot;fp16&quot;, for only fp16 scales the loss</source>
        <translation>需要 numerics.precision = &quot;fp16&quot;，因为只有 fp16 会缩放损失</translation>
    </message>
    <message>
        <source>In fp64 runs sums are in fp64</source>
        <translation>在 fp64 运行中求和就是 fp64</translation>
    </message>
    <message>
        <source>It belongs to the model or to another program, not to the loop</source>
        <translation>它属于模型或其他程序，而不属于循环</translation>
    </message>
    <message>
        <source>Faults are built in on the CPU only; set device.kind = &quot;cpu&quot;</source>
        <translation>只能在 CPU 上植入错误；请设 device.kind = &quot;cpu&quot;</translation>
    </message>
    <message>
        <source>This model and these data draw nothing at random</source>
        <translation>这个模型和这些数据没有任何随机抽取</translation>
    </message>
    <message>
        <source>It holds no tensors of floating-point numbers</source>
        <translation>其中没有浮点数张量</translation>
    </message>
    <message>
        <source>Its tensors are not those of the other file: {name}</source>
        <translation>其张量与另一个文件的不一致：{name}</translation>
    </message>
    <message>
        <source>The other file has {name} in another shape</source>
        <translation>另一个文件中 {name} 的形状不同</translation>
    </message>
    <message>
        <source>It lacks {name}</source>
        <translation>缺少 {name}</translation>
    </message>
    <message>
        <source>Its list {name} must hold {#count} whole numbers</source>
        <translation>其列表 {name} 必须包含 {#count} 个整数</translation>
    </message>
    <message>
        <source>Only a formula estimate; it can be far off.</source>
        <translation>仅为公式估计，可能相差很大。</translation>
    </message>
    <message>
        <source>Needs about {needed} ({@source}), {@room}. Start anyway was chosen.</source>
        <translation>约需 {needed}（{@source}），{@room}。已选择仍然开始。</translation>
    </message>
    <message>
        <source>The large batch needs about {needed} ({@source}), {@room}.</source>
        <translation>大批量约需 {needed}（{@source}），{@room}。</translation>
    </message>
    <message>
        <source>Micro-batch {micro}, K {steps} (same B)</source>
        <translation>微批次 {micro}，K {steps}（B 不变）</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>仍然开始</translation>
    </message>
    <message>
        <source>Probe now</source>
        <translation>立即测量</translation>
    </message>
    <message>
        <source>Without the large batch</source>
        <translation>不运行大批量</translation>
    </message>
    <message>
        <source>m = {micro}, K = {steps}, {@lanesPhrase}: {percent} % of top speed, {peak} of {limit}.</source>
        <translation>m = {micro}，K = {steps}，{@lanesPhrase}：最快速度的 {percent} %，{limit} 中占 {peak}。</translation>
    </message>
    <message>
        <source>m = {micro}, K = {steps}, {@lanesPhrase}: {percent} % of top speed, {peak}.</source>
        <translation>m = {micro}，K = {steps}，{@lanesPhrase}：最快速度的 {percent} %，{peak}。</translation>
    </message>
    <message>
        <source>No micro-batch can be used: m = {micro} is already too large, and no smaller one succeeded.</source>
        <translation>没有可用的微批次：m = {micro} 已经过大，更小的也没有尝试成功。</translation>
    </message>
    <message>
        <source>Cancelled before anything could be recommended.</source>
        <translation>在能给出推荐之前已取消。</translation>
    </message>
    <message>
        <source>Nothing was tried.</source>
        <translation>没有尝试任何大小。</translation>
    </message>
    <message>
        <source>The largest micro-batch that was shown to fit: {micro}.</source>
        <translation>已证实放得下的最大微批次：{micro}。</translation>
    </message>
    <message>
        <source>With a noise scale of {noiseScale} samples, an effective batch of about {effective} trains in the least time on this device.</source>
        <translation>噪声尺度为 {noiseScale} 个样本时，约 {effective} 的有效批大小在此设备上训练用时最少。</translation>
    </message>
    <message>
        <source>Tried on one of {#devices} devices: their communication takes additional time.</source>
        <translation>只在 {#devices} 个设备中的一个上尝试：设备之间通信的时间另计。</translation>
    </message>
    <message>
        <source>Tried with the first effective batch of the ramp, {effective}.</source>
        <translation>以渐变的第一个有效批大小 {effective} 尝试。</translation>
    </message>
    <message>
        <source>m = {micro} did not pass a second, longer trial: {@problem}</source>
        <translation>m = {micro} 未通过第二次更长的试运行：{@problem}</translation>
    </message>
    <message>
        <source>It needs more than {limit}.</source>
        <translation>所需超过 {limit}。</translation>
    </message>
    <message>
        <source>The system refused the memory that it needs.</source>
        <translation>系统拒绝了它所需的内存。</translation>
    </message>
    <message>
        <source>The system ended the trial (signal 9), as it does when memory runs out.</source>
        <translation>系统终止了试运行（信号 9），内存耗尽时会这样。</translation>
    </message>
    <message>
        <source>The trial broke off ({@how}): {@reason}.</source>
        <translation>试运行中断（{@how}）：{@reason}。</translation>
    </message>
    <message>
        <source>Not tried: m = {micro} already ran out of memory.</source>
        <translation>未尝试：m = {micro} 时内存已不足。</translation>
    </message>
    <message>
        <source>1 lane</source>
        <translation>1 个通道</translation>
    </message>
    <message>
        <source>{#lanes} lanes</source>
        <translation>{#lanes} 个通道</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>measured fit</source>
        <translation>实测拟合</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>{free} free</source>
        <translation>可用 {free}</translation>
    </message>
    <message>
        <source>the memory limit is {free}</source>
        <translation>内存上限为 {free}</translation>
    </message>
    <message>
        <source>The sums are right, and what is left is no more than one ReLU or maximum that rounding put on its other side. Record it in fp64 to be sure.</source>
        <translation>求和正确，剩余误差不超过一个因舍入而落到另一侧的 ReLU 或最大值。可用 fp64 记录以确认。</translation>
    </message>
    <message>
        <source>The fp64 reference did not fit into memory and was left out.</source>
        <translation>fp64 参考放不进内存，已省略。</translation>
    </message>
    <message>
        <source>The updates both ways did not fit into memory and were left out.</source>
        <translation>两种方式的参数更新放不进内存，已省略。</translation>
    </message>
    <message>
        <source>Audited with the first effective batch of the ramp.</source>
        <translation>按渐变的第一个有效批大小审计。</translation>
    </message>
    <message>
        <source>Left-over samples of an epoch complete the next window (batch.tail = &quot;carry&quot;), so there is no short window to audit.</source>
        <translation>一轮剩余的样本并入下一个窗口（batch.tail = &quot;carry&quot;），因此没有可审计的短窗口。</translation>
    </message>
    <message>
        <source>Its tensor {name} holds values that are not finite</source>
        <translation>其张量 {name} 含有非有限值</translation>
    </message>
    <message>
        <source>{file} is {@what}.</source>
        <translation>{file}：{@what}。</translation>
    </message>
    <message>
        <source>{first} and {second} cannot both be used.</source>
        <translation>{first} 和 {second} 不能同时使用。</translation>
    </message>
    <message>
        <source>One is {@what}, the other {@otherWhat}.</source>
        <translation>前者：{@what}；后者：{@otherWhat}。</translation>
    </message>
    <message>
        <source>Choose one of them. Where one holds the test samples, its name needs &quot;test&quot; in it.</source>
        <translation>请只选其中一个。如果其中一个是测试样本，文件名中需要包含“test”。</translation>
    </message>
    <message>
        <source>{file} cannot be opened together with other files.</source>
        <translation>{file} 不能与其他文件一起打开。</translation>
    </message>
    <message>
        <source>It is {@what}.</source>
        <translation>{@what}。</translation>
    </message>
    <message>
        <source>Drop it alone.</source>
        <translation>请单独拖入。</translation>
    </message>
    <message>
        <source>a TorchScript module</source>
        <translation>TorchScript 模块</translation>
    </message>
    <message>
        <source>a PyTorch state dict</source>
        <translation>PyTorch 的 state dict</translation>
    </message>
    <message>
        <source>a safetensors file of weights</source>
        <translation>保存权重的 safetensors 文件</translation>
    </message>
    <message>
        <source>the weights of a run of Accumulus</source>
        <translation>Accumulus 某次运行的权重</translation>
    </message>
    <message>
        <source>a safetensors file with inputs and targets</source>
        <translation>含 inputs 和 targets 的 safetensors 文件</translation>
    </message>
    <message>
        <source>a NumPy archive with inputs and targets</source>
        <translation>含 inputs 和 targets 的 NumPy 压缩包</translation>
    </message>
    <message>
        <source>a folder with inputs.npy and targets.npy</source>
        <translation>含 inputs.npy 和 targets.npy 的文件夹</translation>
    </message>
    <message>
        <source>a data set in the format of MNIST</source>
        <translation>MNIST 格式的数据集</translation>
    </message>
    <message>
        <source>CIFAR-10, binary version</source>
        <translation>二进制版 CIFAR-10</translation>
    </message>
    <message>
        <source>CIFAR-100, binary version</source>
        <translation>二进制版 CIFAR-100</translation>
    </message>
    <message>
        <source>a folder of images by class</source>
        <translation>按类别分好的图像文件夹</translation>
    </message>
    <message>
        <source>a table of {#columns} columns</source>
        <translation>有 {#columns} 列的表格</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a file of tokens</source>
        <translation>词元文件</translation>
    </message>
    <message>
        <source>an experiment of Accumulus</source>
        <translation>Accumulus 的实验</translation>
    </message>
    <message>
        <source>a library of Accumulus</source>
        <translation>Accumulus 的库</translation>
    </message>
    <message>
        <source>a program of torch.export</source>
        <translation>torch.export 导出的程序</translation>
    </message>
    <message>
        <source>a whole network pickled by torch.save, which only its own Python code can read</source>
        <translation>用 torch.save 整个序列化的网络，只有它自己的 Python 代码能读取</translation>
    </message>
    <message>
        <source>a file that torch.save wrote in the format before PyTorch 1.6</source>
        <translation>torch.save 以 PyTorch 1.6 之前的格式写出的文件</translation>
    </message>
    <message>
        <source>a Python pickle, which could run any code</source>
        <translation>Python pickle 文件，读取它可能运行任意代码</translation>
    </message>
    <message>
        <source>an ONNX model, which can compute but not train</source>
        <translation>ONNX 模型，只能推理，不能训练</translation>
    </message>
    <message>
        <source>a TensorFlow Lite model, which can compute but not train</source>
        <translation>TensorFlow Lite 模型，只能推理，不能训练</translation>
    </message>
    <message>
        <source>a TensorFlow model</source>
        <translation>TensorFlow 模型</translation>
    </message>
    <message>
        <source>a Keras model</source>
        <translation>Keras 模型</translation>
    </message>
    <message>
        <source>a GGUF model, which can compute but not train</source>
        <translation>GGUF 模型，只能推理，不能训练</translation>
    </message>
    <message>
        <source>a folder with the weights of a network</source>
        <translation>存放网络权重的文件夹</translation>
    </message>
    <message>
        <source>a NumPy archive without inputs and targets: it holds {names}</source>
        <translation>没有 inputs 和 targets 的 NumPy 压缩包，其中有 {names}</translation>
    </message>
    <message>
        <source>a single NumPy array, and training takes inputs and targets</source>
        <translation>单个 NumPy 数组，而训练需要 inputs 和 targets</translation>
    </message>
    <message>
        <source>a safetensors file with only one of inputs and targets</source>
        <translation>只有 inputs 或只有 targets 的 safetensors 文件</translation>
    </message>
    <message>
        <source>a damaged safetensors file</source>
        <translation>已损坏的 safetensors 文件</translation>
    </message>
    <message>
        <source>an HDF5 file</source>
        <translation>HDF5 文件</translation>
    </message>
    <message>
        <source>a Parquet table</source>
        <translation>Parquet 表格</translation>
    </message>
    <message>
        <source>an Arrow table</source>
        <translation>Arrow 表格</translation>
    </message>
    <message>
        <source>a MATLAB file</source>
        <translation>MATLAB 文件</translation>
    </message>
    <message>
        <source>an Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>a database that is no library of Accumulus</source>
        <translation>不属于 Accumulus 库的数据库</translation>
    </message>
    <message>
        <source>a JSON file</source>
        <translation>JSON 文件</translation>
    </message>
    <message>
        <source>a Python program</source>
        <translation>Python 程序</translation>
    </message>
    <message>
        <source>a single picture</source>
        <translation>单张图片</translation>
    </message>
    <message>
        <source>a folder of pictures without classes</source>
        <translation>没有按类别分开的图片文件夹</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>PDF 文档</translation>
    </message>
    <message>
        <source>a packed archive</source>
        <translation>压缩包</translation>
    </message>
    <message>
        <source>a zip archive</source>
        <translation>zip 压缩包</translation>
    </message>
    <message>
        <source>a damaged zip archive: its list of contents is missing</source>
        <translation>已损坏的 zip 压缩包，缺少目录</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>可执行程序</translation>
    </message>
    <message>
        <source>a text that is not in UTF-8</source>
        <translation>非 UTF-8 编码的文本</translation>
    </message>
    <message>
        <source>neither a file nor a folder</source>
        <translation>特殊文件，既不是普通文件也不是文件夹</translation>
    </message>
    <message>
        <source>a folder without any data that is known here</source>
        <translation>没有可识别数据的文件夹</translation>
    </message>
    <message>
        <source>an empty folder</source>
        <translation>空文件夹</translation>
    </message>
    <message>
        <source>of an unknown kind</source>
        <translation>未知类型的文件</translation>
    </message>
    <message>
        <source>Export the network from PyTorch as TorchScript: torch.jit.script(net).save(&quot;net.pt&quot;)</source>
        <translation>请从 PyTorch 把网络导出为 TorchScript：torch.jit.script(net).save(&quot;net.pt&quot;)</translation>
    </message>
    <message>
        <source>In Python, save the network with torch.jit.script(net).save(&quot;net.pt&quot;), or only its weights with torch.save(net.state_dict(), &quot;weights.pt&quot;)</source>
        <translation>请在 Python 中用 torch.jit.script(net).save(&quot;net.pt&quot;) 保存网络，或用 torch.save(net.state_dict(), &quot;weights.pt&quot;) 只保存权重</translation>
    </message>
    <message>
        <source>Load and save it with a newer PyTorch: torch.save(torch.load(&quot;old.pt&quot;), &quot;weights.pt&quot;)</source>
        <translation>请用较新的 PyTorch 重新保存：torch.save(torch.load(&quot;old.pt&quot;), &quot;weights.pt&quot;)</translation>
    </message>
    <message>
        <source>In Python, save arrays with numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y), a network with torch.jit.script(net).save(&quot;net.pt&quot;)</source>
        <translation>请在 Python 中用 numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y) 保存数组，用 torch.jit.script(net).save(&quot;net.pt&quot;) 保存网络</translation>
    </message>
    <message>
        <source>Use the safetensors or state dict that it was made from</source>
        <translation>请使用转换前的 safetensors 或 state dict</translation>
    </message>
    <message>
        <source>Drop the file of weights in it, such as model.safetensors</source>
        <translation>请拖入其中的权重文件，例如 model.safetensors</translation>
    </message>
    <message>
        <source>In Python, save both with numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)</source>
        <translation>请在 Python 中用 numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y) 同时保存两者</translation>
    </message>
    <message>
        <source>Put inputs.npy and targets.npy into one folder and drop it, or save both with numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)</source>
        <translation>请把 inputs.npy 和 targets.npy 放进一个文件夹后拖入，或用 numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y) 同时保存两者</translation>
    </message>
    <message>
        <source>In Python, save arrays with numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y), weights as safetensors</source>
        <translation>请在 Python 中用 numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y) 保存数组，把权重存为 safetensors</translation>
    </message>
    <message>
        <source>Save the table as CSV: pandas.read_parquet(&quot;data.parquet&quot;).to_csv(&quot;data.csv&quot;, index=False)</source>
        <translation>请把表格另存为 CSV：pandas.read_parquet(&quot;data.parquet&quot;).to_csv(&quot;data.csv&quot;, index=False)</translation>
    </message>
    <message>
        <source>In Python, save the arrays with numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)</source>
        <translation>请在 Python 中用 numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y) 保存数组</translation>
    </message>
    <message>
        <source>Save the sheet as CSV</source>
        <translation>请把工作表另存为 CSV</translation>
    </message>
    <message>
        <source>Save the table as CSV, or open a library that Accumulus has written</source>
        <translation>请把表另存为 CSV，或打开 Accumulus 写出的库</translation>
    </message>
    <message>
        <source>Use the weights (safetensors, .pt) or the data (.csv, .npz) that it belongs to</source>
        <translation>请使用与它配套的权重（safetensors、.pt）或数据（.csv、.npz）</translation>
    </message>
    <message>
        <source>Let it write the network and the data for Accumulus: from accumulus_export import export (see Help, Bring your own network)</source>
        <translation>请让它为 Accumulus 写出网络和数据：from accumulus_export import export（见“帮助”中的“使用自己的网络”）</translation>
    </message>
    <message>
        <source>Drop a folder that has one folder of pictures (PNG or JPEG) for each class</source>
        <translation>请拖入一个文件夹，其中每个类别各有一个图片（PNG 或 JPEG）文件夹</translation>
    </message>
    <message>
        <source>Turn the pictures into PNG or JPEG, and drop a folder that has one folder of them for each class</source>
        <translation>请把图片转换为 PNG 或 JPEG，再拖入一个每个类别各有一个子文件夹的文件夹</translation>
    </message>
    <message>
        <source>Unpack it, and drop what is inside</source>
        <translation>请先解压，再拖入其中的内容</translation>
    </message>
    <message>
        <source>Copy or download it again; it was probably cut off</source>
        <translation>请重新复制或下载，它很可能不完整</translation>
    </message>
    <message>
        <source>Save it as UTF-8</source>
        <translation>请另存为 UTF-8</translation>
    </message>
    <message>
        <source>Folders can hold images by class (CLASS/*.png), inputs.npy and targets.npy, a single text, MNIST or CIFAR</source>
        <translation>文件夹可以是按类别分的图像（CLASS/*.png）、inputs.npy 和 targets.npy、单个文本、MNIST 或 CIFAR</translation>
    </message>
    <message>
        <source>{title}</source>
        <translation>{title}</translation>
    </message>
    <message>
        <source>takes {shape}</source>
        <translation>输入 {shape}</translation>
    </message>
    <message>
        <source>takes {#block} tokens</source>
        <translation>输入 {#block} 个词元</translation>
    </message>
    <message>
        <source>{#outputs} outputs</source>
        <translation>{#outputs} 个输出</translation>
    </message>
    <message>
        <source>a list such as [512, 512] of whole numbers, each {@range}</source>
        <translation>由整数组成的列表，如 [512, 512]，每个数的范围：{@range}</translation>
    </message>
    <message>
        <source>a list such as [0.5, 1.0] of numbers, each {@range}</source>
        <translation>由数值组成的列表，如 [0.5, 1.0]，每个数的范围：{@range}</translation>
    </message>
    <message>
        <source>a list of texts such as [&quot;conv1.*&quot;, &quot;layer1.*&quot;]</source>
        <translation>由文本组成的列表，如 [&quot;conv1.*&quot;, &quot;layer1.*&quot;]</translation>
    </message>
    <message>
        <source>tensors of any shape</source>
        <translation>任意形状的张量</translation>
    </message>
    <message>
        <source>it is not a list of numbers</source>
        <translation>它不是数值列表</translation>
    </message>
    <message>
        <source>it is not a list of texts</source>
        <translation>它不是文本列表</translation>
    </message>
    <message>
        <source>Use one of: {names}.</source>
        <translation>请使用以下之一：{names}。</translation>
    </message>
    <message>
        <source>CIFAR-100 was not found.</source>
        <translation>未找到 CIFAR-100。</translation>
    </message>
    <message>
        <source>{file} is not a {set} file: {rest} bytes are left over at byte {offset}.</source>
        <translation>{file} 不是 {set} 文件：在字节 {offset} 处多出 {rest} 个字节。</translation>
    </message>
    <message>
        <source>It has {size} bytes, and each image takes {record} (labels, and 32 x 32 x 3 pixels).</source>
        <translation>它有 {size} 个字节，而每幅图像占 {record} 个字节（标签，以及 32 x 32 x 3 像素）。</translation>
    </message>
    <message>
        <source>Download the binary version (the Python version has another layout, and so have CIFAR-10 and CIFAR-100).</source>
        <translation>请重新获取二进制版本（用于 Python 的版本布局不同，CIFAR-10 与 CIFAR-100 的布局也不同）。</translation>
    </message>
    <message>
        <source>Download the binary version of {set} (CIFAR-10 and CIFAR-100 differ in their layout).</source>
        <translation>请重新获取 {set} 的二进制版本（CIFAR-10 与 CIFAR-100 的布局不同）。</translation>
    </message>
    <message>
        <source>{file} is not UTF-8.</source>
        <translation>{file} 不是 UTF-8。</translation>
    </message>
    <message>
        <source>The byte at {#offset} does not start a valid character.</source>
        <translation>位置 {#offset} 处的字节不是任何字符的开头。</translation>
    </message>
    <message>
        <source>Save it as UTF-8, for example by: iconv -f LATIN1 -t UTF-8 FILE (-f UTF-16 where it begins with the bytes FF FE or FE FF).</source>
        <translation>请另存为 UTF-8，例如：iconv -f LATIN1 -t UTF-8 FILE（以字节 FF FE 或 FE FF 开头的文件用 -f UTF-16）。</translation>
    </message>
    <message>
        <source>{file} has more characters than data.vocabulary allows.</source>
        <translation>{file} 中的字符种类超过 data.vocabulary 所允许的数量。</translation>
    </message>
    <message>
        <source>It has {#found} different characters, but data.vocabulary = {vocabulary}.</source>
        <translation>其中有 {#found} 个不同的字符，而 data.vocabulary = {vocabulary}。</translation>
    </message>
    <message>
        <source>Set data.vocabulary = 0 to take all of them, or set it to at least {found}.</source>
        <translation>请设置 data.vocabulary = 0 以按实际数量确定，或设为至少 {found}。</translation>
    </message>
    <message>
        <source>The token file {file} cannot be read.</source>
        <translation>无法读取词元文件 {file}。</translation>
    </message>
    <message>
        <source>Check data.path, data.test_path and the file&apos;s permissions.</source>
        <translation>请检查 data.path、data.test_path 和文件的权限。</translation>
    </message>
    <message>
        <source>{file} is not a file of {bits}-bit tokens.</source>
        <translation>{file} 不是 {bits} 位的词元文件。</translation>
    </message>
    <message>
        <source>It has {#size} bytes, which is no multiple of {width}.</source>
        <translation>它有 {#size} 个字节，不是 {width} 的倍数。</translation>
    </message>
    <message>
        <source>Write nothing but unsigned 16-bit or 32-bit numbers, in NumPy with tokens.astype(&quot;uint16&quot;).tofile(FILE).</source>
        <translation>请只写入 16 位或 32 位的无符号整数，不含其他内容；在 NumPy 中用 tokens.astype(&quot;uint16&quot;).tofile(FILE)。</translation>
    </message>
    <message>
        <source>{file} holds a token outside the vocabulary: {token} ({bits} bits, at index {#place}, byte {#offset}).</source>
        <translation>{file} 中有超出词表的词元：{token}（{bits} 位，下标 {#place}，字节 {#offset}）。</translation>
    </message>
    <message>
        <source>Set data.vocabulary to the vocabulary size of the tokenizer; above 65536, tokens have 32 bits. Write nothing but 16-bit or 32-bit numbers.</source>
        <translation>请将 data.vocabulary 设为分词器的词元数；超过 65536 时，词元为 32 位。文件中只写入 16 位或 32 位的整数，不含其他内容。</translation>
    </message>
    <message>
        <source>There is no table at {path}.</source>
        <translation>{path} 处没有表格。</translation>
    </message>
    <message>
        <source>Set data.path, and data.test_path where it is used, to a CSV or TSV file with a header line.</source>
        <translation>请将 data.path（以及所用到的 data.test_path）设为带表头行的 CSV 或 TSV 文件。</translation>
    </message>
    <message>
        <source>The table {file} cannot be read.</source>
        <translation>无法读取表格 {file}。</translation>
    </message>
    <message>
        <source>{file} cannot be read as a table: line {#line}.</source>
        <translation>无法将 {file} 作为表格读取：第 {#line} 行。</translation>
    </message>
    <message>
        <source>Save it again as CSV in UTF-8, with one line for each row and quotes around fields that hold separators, quotes (doubled) or line ends.</source>
        <translation>请重新保存为 UTF-8 编码的 CSV，每行记录占一行；含有分隔符、引号（须写成两个）或换行的字段要用引号括起。</translation>
    </message>
    <message>
        <source>{file} cannot be used as a table.</source>
        <translation>{file} 无法用作表格。</translation>
    </message>
    <message>
        <source>The first line names the columns, each once, with a comma, a semicolon or a tab between them; each further line is one row. The file of data.test_path has the same columns, in any order.</source>
        <translation>第一行给出各列的名称，每个名称只出现一次，以逗号、分号或制表符分隔；之后每一行是一条记录。data.test_path 与 data.path 的列相同，顺序不限。</translation>
    </message>
    <message>
        <source>{file} has no column to predict.</source>
        <translation>{file} 中没有要预测的列。</translation>
    </message>
    <message>
        <source>Set data.target to the name of a column, for example data.target = &quot;{nearest}&quot;.</source>
        <translation>请将 data.target 设为某一列的名称，例如 data.target = &quot;{nearest}&quot;。</translation>
    </message>
    <message>
        <source>{file}: the column {column} cannot be used.</source>
        <translation>{file}：无法使用列 {column}。</translation>
    </message>
    <message>
        <source>There are no tensors at {path}.</source>
        <translation>{path} 处没有张量。</translation>
    </message>
    <message>
        <source>Set data.path to an .npz or .safetensors file that holds &quot;inputs&quot; and &quot;targets&quot;, or to a folder with inputs.npy and targets.npy.</source>
        <translation>请将 data.path 设为含有 &quot;inputs&quot; 和 &quot;targets&quot; 的 .npz 或 .safetensors 文件，或含有 inputs.npy 和 targets.npy 的文件夹。</translation>
    </message>
    <message>
        <source>Check the path and the file&apos;s permissions.</source>
        <translation>请检查路径和文件的权限。</translation>
    </message>
    <message>
        <source>{file} holds no tensors that can be read.</source>
        <translation>{file} 中没有可读取的张量。</translation>
    </message>
    <message>
        <source>Save the arrays again: numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y).</source>
        <translation>请重新保存数组：numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)。</translation>
    </message>
    <message>
        <source>{file} is one array; inputs and targets are needed.</source>
        <translation>{file} 只有一个数组；需要输入和目标两者。</translation>
    </message>
    <message>
        <source>There is neither inputs.npy nor targets.npy beside it.</source>
        <translation>其旁边既没有 inputs.npy，也没有 targets.npy。</translation>
    </message>
    <message>
        <source>Name the files inputs.npy and targets.npy and set data.path to their folder, or save both: numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y).</source>
        <translation>请将文件命名为 inputs.npy 和 targets.npy，并将 data.path 设为其所在的文件夹；或同时保存两者：numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)。</translation>
    </message>
    <message>
        <source>The array &quot;{array}&quot; of {file} cannot be used.</source>
        <translation>无法使用 {file} 中的数组 &quot;{array}&quot;。</translation>
    </message>
    <message>
        <source>{path} does not hold the arrays that are needed.</source>
        <translation>{path} 中没有所需的数组。</translation>
    </message>
    <message>
        <source>It holds {@found}.</source>
        <translation>其内容：{@found}。</translation>
    </message>
    <message>
        <source>The arrays of {path} do not belong together.</source>
        <translation>{path} 中的数组不匹配。</translation>
    </message>
    <message>
        <source>&quot;{inputs}&quot; has {inputCount} samples, but &quot;{targets}&quot; has {targetCount}.</source>
        <translation>&quot;{inputs}&quot; 有 {inputCount} 个样本，而 &quot;{targets}&quot; 有 {targetCount} 个。</translation>
    </message>
    <message>
        <source>Save as many targets as inputs: the first dimension of both counts samples.</source>
        <translation>请保存与输入同样多的目标：两者的第一个维度都是样本数。</translation>
    </message>
    <message>
        <source>The test samples of {path} differ from the training samples.</source>
        <translation>{path} 的测试样本与训练样本不一致。</translation>
    </message>
    <message>
        <source>&quot;{train}&quot; is {trainType}, but &quot;{test}&quot; is {testType}.</source>
        <translation>&quot;{train}&quot; 是 {trainType}，而 &quot;{test}&quot; 是 {testType}。</translation>
    </message>
    <message>
        <source>Save both in the same type, and samples of the same shape.</source>
        <translation>请以相同的类型保存两者，且样本的形状相同。</translation>
    </message>
    <message>
        <source>{path} holds no test samples.</source>
        <translation>{path} 中没有测试样本。</translation>
    </message>
    <message>
        <source>&quot;{array}&quot; of {file} has an invalid class: {label} ({@place}).</source>
        <translation>{file} 的 &quot;{array}&quot; 中有无效的类别：{label}（{@place}）。</translation>
    </message>
    <message>
        <source>Whole numbers are classes from 0 to {largest}, and -100 for targets that are ignored.</source>
        <translation>整数是从 0 到 {largest} 的类别，-100 表示被忽略的目标。</translation>
    </message>
    <message>
        <source>Number the classes from 0, or save the targets as real numbers (numpy.float32) and choose a regression loss: loss.kind = &quot;mse&quot;.</source>
        <translation>请从 0 开始给类别编号；或将目标保存为实数（numpy.float32），并选择用于数值的损失：loss.kind = &quot;mse&quot;。</translation>
    </message>
    <message>
        <source>&quot;{array}&quot; of {file} has a value that is not finite ({@place}).</source>
        <translation>{file} 的 &quot;{array}&quot; 中有非有限值（{@place}）。</translation>
    </message>
    <message>
        <source>Nothing can be learnt from NaN or infinity: every gradient would be NaN.</source>
        <translation>从 NaN 或无穷大中学不到任何东西：每个梯度都会是 NaN。</translation>
    </message>
    <message>
        <source>Replace such values, for example by numpy.nan_to_num, or leave these samples out.</source>
        <translation>请替换这些值，例如用 numpy.nan_to_num，或去掉这些样本。</translation>
    </message>
    <message>
        <source>{key} does not fit the inputs.</source>
        <translation>{key} 与输入不符。</translation>
    </message>
    <message>
        <source>model.name = &quot;file&quot; names no file.</source>
        <translation>model.name = &quot;file&quot; 没有指定文件。</translation>
    </message>
    <message>
        <source>Set model.path to a TorchScript module, as torch.jit.script(net).save(&quot;net.pt&quot;) writes it.</source>
        <translation>请将 model.path 设为 TorchScript 模块，即 torch.jit.script(net).save(&quot;net.pt&quot;) 写出的文件。</translation>
    </message>
    <message>
        <source>There is no file {file}.</source>
        <translation>没有文件 {file}。</translation>
    </message>
    <message>
        <source>It is what model.path names.</source>
        <translation>它由 model.path 指定。</translation>
    </message>
    <message>
        <source>Check model.path; in Python, torch.jit.script(net).save(&quot;net.pt&quot;) writes such a file.</source>
        <translation>请检查 model.path；在 Python 中，torch.jit.script(net).save(&quot;net.pt&quot;) 可写出这样的文件。</translation>
    </message>
    <message>
        <source>{file} cannot be read as a TorchScript module.</source>
        <translation>无法将 {file} 作为 TorchScript 模块读取。</translation>
    </message>
    <message>
        <source>Save it again in Python with torch.jit.script(net).save(&quot;net.pt&quot;) or, if it has no dropout or BatchNorm, with torch.jit.trace(net.eval(), example).save(&quot;net.pt&quot;). For other networks, use accumulus_export.py. A file that holds only weights belongs in model.weights.</source>
        <translation>请在 Python 中重新写出：torch.jit.script(net).save(&quot;net.pt&quot;)；若网络中没有 dropout 和 BatchNorm，也可用 torch.jit.trace(net.eval(), example).save(&quot;net.pt&quot;)。其他网络可由 accumulus_export.py 导出。只含权重的文件应填在 model.weights。</translation>
    </message>
    <message>
        <source>{file} needs the operator {operator}, which this program does not have.</source>
        <translation>{file} 需要运算 {operator}，而本程序没有它。</translation>
    </message>
    <message>
        <source>It comes from a Python package with an extension of its own.</source>
        <translation>它来自一个自带扩展的 Python 包。</translation>
    </message>
    <message>
        <source>Replace it in the network by PyTorch&apos;s own operators and export again.</source>
        <translation>请在网络中改用 PyTorch 自身的运算，然后重新导出。</translation>
    </message>
    <message>
        <source>{file} cannot be trained.</source>
        <translation>{file} 无法训练。</translation>
    </message>
    <message>
        <source>Fix the network in Python and export it again.</source>
        <translation>请在 Python 中修正网络，然后重新导出。</translation>
    </message>
    <message>
        <source>{file} cannot compute samples of this data set.</source>
        <translation>{file} 无法计算此数据集的样本。</translation>
    </message>
    <message>
        <source>For inputs of shape {shape} and type {type} it says: {@reason}.</source>
        <translation>对于形状为 {shape}、类型为 {type} 的输入，它报告：{@reason}。</translation>
    </message>
    <message>
        <source>Export the network with an example of this shape, or change the data: data.path, data.resize and data.block say what a sample looks like. A network that also takes the targets and returns its loss needs loss.kind = &quot;model&quot;; one that takes or returns several tensors needs a wrapper with one of each.</source>
        <translation>请用这种形状的示例导出网络，或更改数据：data.path、data.resize 和 data.block 决定样本的形式。若网络还接收目标并返回损失，需要 loss.kind = &quot;model&quot;；若接收或返回多个张量，需要一个各只有一个张量的包装。</translation>
    </message>
    <message>
        <source>{file} cannot be trained: its gradients cannot be computed.</source>
        <translation>{file} 无法训练：无法计算它的梯度。</translation>
    </message>
    <message>
        <source>Fix the network in Python, so that output.sum().backward() works in training mode, and export it again.</source>
        <translation>请在 Python 中修正网络，使 output.sum().backward() 在训练模式下可以运行，然后重新导出。</translation>
    </message>
    <message>
        <source>{file} does not return what the loss needs.</source>
        <translation>{file} 的返回值不是损失所需要的。</translation>
    </message>
    <message>
        <source>For {rows} samples it returns the shape {shape}; {@wanted}.</source>
        <translation>对于 {rows} 个样本，它返回形状 {shape}；{@wanted}。</translation>
    </message>
    <message>
        <source>Export a network whose output fits the targets, or choose another loss.kind.</source>
        <translation>请导出输出与目标相符的网络，或选择其他 loss.kind。</translation>
    </message>
    <message>
        <source>{file} changes its buffer {buffer} while it trains, in a way that cannot be put into the order of the micro-steps.</source>
        <translation>{file} 在训练时会更改其缓冲区 {buffer}，而且更改方式无法按微步的顺序排列。</translation>
    </message>
    <message>
        <source>Replace the layer by one with running_mean, running_var and a fixed momentum, or put it into evaluation mode before you export.</source>
        <translation>请将该层换成带有 running_mean、running_var 和固定动量的层，或在导出前将其置于评估模式。</translation>
    </message>
    <message>
        <source>numerics.batch_norm = &quot;pooled&quot; is not possible with {file}.</source>
        <translation>{file} 不能使用 numerics.batch_norm = &quot;pooled&quot;。</translation>
    </message>
    <message>
        <source>A trial did not show how many values its statistics are computed from.</source>
        <translation>通过试算无法得知其统计量由多少个值得出。</translation>
    </message>
    <message>
        <source>Set numerics.batch_norm = &quot;micro&quot; or &quot;frozen&quot;.</source>
        <translation>请设置 numerics.batch_norm = &quot;micro&quot; 或 &quot;frozen&quot;。</translation>
    </message>
    <message>
        <source>{file} returns different outputs each time.</source>
        <translation>{file} 每次返回的结果都不同。</translation>
    </message>
    <message>
        <source>With the same samples and the same seed its outputs differ, so no run could be repeated.</source>
        <translation>在样本和种子都相同的情况下，其输出却不同，因此任何运行都无法重复。</translation>
    </message>
    <message>
        <source>Remove any randomness that does not come from PyTorch&apos;s generator, or move it into the data set.</source>
        <translation>请去掉不从 PyTorch 随机流中抽取的部分，或将其移到数据集中抽取。</translation>
    </message>
    <message>
        <source>The weights {file} cannot be read.</source>
        <translation>无法读取权重 {file}。</translation>
    </message>
    <message>
        <source>Check model.weights and the file&apos;s permissions.</source>
        <translation>请检查 model.weights 和文件的权限。</translation>
    </message>
    <message>
        <source>{file} holds no weights that can be used.</source>
        <translation>{file} 中没有可用的权重。</translation>
    </message>
    <message>
        <source>Save the weights anew in Python: torch.save(model.state_dict(), &quot;weights.pt&quot;), or as safetensors.</source>
        <translation>请在 Python 中重新保存权重：torch.save(model.state_dict(), &quot;weights.pt&quot;)，或存为 safetensors。</translation>
    </message>
    <message>
        <source>The weights in {file} do not fit the model.</source>
        <translation>{file} 中的权重与模型不符。</translation>
    </message>
    <message>
        <source>Parameter {parameter} in {file} is not finite.</source>
        <translation>{file} 中的参数 {parameter} 不是有限值。</translation>
    </message>
    <message>
        <source>It holds NaN, infinity, or values too large for this precision.</source>
        <translation>其中含有 NaN、无穷大，或对此精度而言过大的值。</translation>
    </message>
    <message>
        <source>Use weights from before training broke down.</source>
        <translation>请使用训练失败之前的权重。</translation>
    </message>
    <message>
        <source>The model outputs {outputs} numbers for each sample, but its targets have {targets}.</source>
        <translation>模型对每个样本给出 {outputs} 个数，与其目标的 {targets} 个不符。</translation>
    </message>
    <message>
        <source>Change the model&apos;s last layer, or choose another loss.kind.</source>
        <translation>请更改模型的最后一层，或选择其他 loss.kind。</translation>
    </message>
    <message>
        <source>The model distinguishes {outputs} classes, but the data have {classes}.</source>
        <translation>模型区分 {outputs} 个类别，而数据有 {classes} 个。</translation>
    </message>
    <message>
        <source>A target would name an output that does not exist.</source>
        <translation>某个目标会指向不存在的输出。</translation>
    </message>
    <message>
        <source>Give the model&apos;s last layer {classes} outputs.</source>
        <translation>请让模型的最后一层有 {classes} 个输出。</translation>
    </message>
    <message>
        <source>loss.class_weights has {weights} weights for {classes} classes.</source>
        <translation>loss.class_weights 有 {weights} 个权重，而类别有 {classes} 个。</translation>
    </message>
    <message>
        <source>Give one weight for each class, in the order of the classes, or none.</source>
        <translation>请按类别的顺序为每个类别给出一个权重，或都不给。</translation>
    </message>
    <message>
        <source>The model returns {outputs} losses for {samples} samples.</source>
        <translation>模型对 {samples} 个样本返回 {outputs} 个损失。</translation>
    </message>
    <message>
        <source>With loss.kind = &quot;model&quot; it returns one loss for each sample or token, or a pair of their sum and their count.</source>
        <translation>在 loss.kind = &quot;model&quot; 时，它应为每个样本或词元返回一个损失，或返回由损失之和与个数组成的一对值。</translation>
    </message>
    <message>
        <source>Return the losses before they are averaged, of shape [samples] or [samples, ...].</source>
        <translation>请返回求平均之前的损失，形状为 [samples] 或 [samples, ...]。</translation>
    </message>
    <message>
        <source>No parameter matches {pattern}, which model.freeze names.</source>
        <translation>没有参数与 model.freeze 中的 {pattern} 匹配。</translation>
    </message>
    <message>
        <source>Did you mean {nearest}? A pattern matches a whole name; an asterisk stands for any characters, a question mark for one.</source>
        <translation>您是否想用 {nearest}？模式匹配整个名称：* 代表任意多个字符，? 代表一个字符。</translation>
    </message>
    <message>
        <source>model.freeze leaves nothing to train.</source>
        <translation>model.freeze 没有留下任何可训练的参数。</translation>
    </message>
    <message>
        <source>Its patterns match all {parameters} parameter tensors.</source>
        <translation>其模式匹配了全部 {parameters} 个参数张量。</translation>
    </message>
    <message>
        <source>Leave at least the last layer out of the patterns.</source>
        <translation>请至少让最后一层不在模式之内。</translation>
    </message>
    <message>
        <source>Run {run} cannot be resumed: its model has changed.</source>
        <translation>运行 {run} 无法继续：它的模型已更改。</translation>
    </message>
    <message>
        <source>It was begun with {file} of hash {stored}; now the hash is {found}.</source>
        <translation>它开始时使用的 {file} 哈希为 {stored}；现在的哈希是 {found}。</translation>
    </message>
    <message>
        <source>Restore the file, or run the experiment again.</source>
        <translation>请恢复该文件，或重新运行该实验。</translation>
    </message>
    <message>
        <source>Run {run} cannot start over: its initial weights have changed.</source>
        <translation>运行 {run} 无法重新开始：它的初始权重已更改。</translation>
    </message>
    <message>
        <source>It was begun with {file} of hash {stored}; now the hash is {found}. It has no resume bundle to go on from.</source>
        <translation>它开始时使用的 {file} 哈希为 {stored}；现在的哈希是 {found}。它没有可用来继续的恢复包。</translation>
    </message>
    <message>
        <source>Cross entropy takes one score for each class of every target</source>
        <translation>交叉熵要求每个目标的每个类别各有一个得分</translation>
    </message>
    <message>
        <source>This loss compares each output with one number of the target; nothing is broadcast</source>
        <translation>此损失把每个输出与目标中的一个数比较；不作广播</translation>
    </message>
    <message>
        <source>the model computes its loss itself</source>
        <translation>模型自行计算损失</translation>
    </message>
    <message>
        <source>It lacks a list &quot;units&quot; of one positive number for each micro-batch</source>
        <translation>缺少列表 &quot;units&quot;，其中每个微批次一个正数</translation>
    </message>
    <message>
        <source>The network uses random numbers while it trains (dropout, for example). The two arms of a pair use different ones, so a difference between them is expected.</source>
        <translation>该网络在训练时会使用随机数（如 dropout）。配对的两组所用的随机数不同，因此两者之间有差异是意料之中的。</translation>
    </message>
    <message>
        <source>The network mixes the samples of a micro-batch, and BatchNorm is not the reason: accumulation is not the large batch.</source>
        <translation>该网络会混合同一微批次中的样本，而且原因不是 BatchNorm：累积与大批量不等同。</translation>
    </message>
    <message>
        <source>{file} is not the file that the run began with, or is gone. The run goes on with its own weights.</source>
        <translation>{file} 不是运行开始时所用的文件，或已不存在。运行以自身的权重继续。</translation>
    </message>
    <message>
        <source>{#count} parameter tensors start from {file}.</source>
        <translation>{#count} 个参数张量取自 {file}。</translation>
    </message>
    <message>
        <source>Names there differ by the prefix {prefix}, which was left out.</source>
        <translation>该文件中的名称与模型相差前缀 {prefix}，比较时已去掉。</translation>
    </message>
    <message>
        <source>Drawn anew, because {file} has them in another shape or not at all: {parameters}.</source>
        <translation>以下参数已重新初始化，因为 {file} 中没有或形状不同：{parameters}。</translation>
    </message>
    <message>
        <source>{file} has no running statistics: BatchNorm layers start from mean 0 and variance 1.</source>
        <translation>{file} 中没有滑动统计量：BatchNorm 层从均值 0 和方差 1 开始。</translation>
    </message>
    <message>
        <source>{#count} tensors of {file} are not of this model and were left out, {first} first.</source>
        <translation>{file} 中有 {#count} 个张量不属于此模型，已略去，第一个是 {first}。</translation>
    </message>
    <message>
        <source>{#frozen} of {#parameters} parameters are frozen; {#trained} are trained.</source>
        <translation>{#parameters} 个参数中有 {#frozen} 个已冻结；训练其余 {#trained} 个。</translation>
    </message>
    <message>
        <source>CIFAR-100</source>
        <translation>CIFAR-100</translation>
    </message>
    <message>
        <source>Network from {file}</source>
        <translation>来自 {file} 的网络</translation>
    </message>
    <message>
        <source>returns {shape}</source>
        <translation>输出 {shape}</translation>
    </message>
    <message>
        <source>BatchNorm layers: {#layers}</source>
        <translation>{#layers} 个 BatchNorm 层</translation>
    </message>
    <message>
        <source>uses random numbers while it trains (dropout, for example), different ones in the two arms of a pair</source>
        <translation>训练时会使用随机数（如 dropout），因此配对的两组所用的随机数不同</translation>
    </message>
    <message>
        <source>mixes the samples of a micro-batch, so accumulation is not the large batch</source>
        <translation>会混合同一微批次中的样本，因此累积与大批量不等同</translation>
    </message>
    <message>
        <source>was traced in evaluation mode: its statistics and dropout stay as in evaluation</source>
        <translation>是在评估模式下 trace 得到的：其统计量和 dropout 保持评估时的状态</translation>
    </message>
    <message>
        <source>no gradient reached {parameters} when it was tried</source>
        <translation>试算时没有梯度到达 {parameters}</translation>
    </message>
    <message>
        <source>it is not a zip archive, as every TorchScript file is</source>
        <translation>它不是 zip 归档，而每个 TorchScript 文件都是</translation>
    </message>
    <message>
        <source>it holds no TorchScript module: torch.save writes weights or Python objects, torch.export another kind of program</source>
        <translation>其中没有 TorchScript 模块：torch.save 写入的是权重或 Python 对象，torch.export 写入的是另一种程序</translation>
    </message>
    <message>
        <source>{column}: {#values} categories, for line {#line} holds &quot;{text}&quot;</source>
        <translation>{column}：{#values} 个类别，因为第 {#line} 行是“{text}”</translation>
    </message>
    <message>
        <source>Nearly all values of column {column} are numbers, but line {#line} holds &quot;{text}&quot;, so each of its {#values} values becomes an input of its own. Correct that value, or leave the field empty if it is missing.</source>
        <translation>列 {column} 的值几乎都是数字，但第 {#line} 行是“{text}”，因此其 {#values} 个值各成为一个输入。请更正该值；若缺失，请将该字段留空。</translation>
    </message>
    <message>
        <source>the gradient of {parameter} is a sparse tensor; create the embedding with sparse=False</source>
        <translation>{parameter} 的梯度是稀疏张量；请用 sparse=False 创建嵌入层</translation>
    </message>
    <message>
        <source>it is a NumPy array file (.npy), which begins with a header</source>
        <translation>它是 NumPy 数组文件（.npy），开头是文件头</translation>
    </message>
    <message>
        <source>it seems to hold 64-bit numbers: every second group of 32 bits is 0</source>
        <translation>它似乎存放 64 位数：每隔一组的 32 位都是 0</translation>
    </message>
    <message>
        <source>the training tokens have {trainBits} bits, but these seem to have {bits}</source>
        <translation>训练词元是 {trainBits} 位，而这些似乎是 {bits} 位</translation>
    </message>
    <message>
        <source>When the network was tried, no gradient reached {parameters}. A parameter that no gradient reaches keeps its initial values.</source>
        <translation>试算网络时没有梯度到达 {parameters}。没有梯度到达的参数保持其初始值。</translation>
    </message>
    <message>
        <source>{file} writes to its parameter {parameter} while it computes.</source>
        <translation>{file} 在计算时改写自己的参数 {parameter}。</translation>
    </message>
    <message>
        <source>Micro-batches that are computed at the same time would disturb each other.</source>
        <translation>同时计算的微批次会相互干扰。</translation>
    </message>
    <message>
        <source>Change a copy instead, for example functional.linear(x, self.weight.clamp(-1, 1)), and export the network again.</source>
        <translation>请改用副本，例如 functional.linear(x, self.weight.clamp(-1, 1))，然后重新导出网络。</translation>
    </message>
    <message>
        <source>{file} does not hold plain tokens.</source>
        <translation>{file} 中不是单纯的词元。</translation>
    </message>
    <message>
        <source>Write nothing but unsigned 16-bit or 32-bit numbers, all files alike, in NumPy with tokens.astype(&quot;uint16&quot;).tofile(FILE).</source>
        <translation>请只写入无符号的 16 位或 32 位数，所有文件一致，在 NumPy 中用 tokens.astype(&quot;uint16&quot;).tofile(FILE)。</translation>
    </message>
    <message>
        <source>it returns neither one tensor nor a sum with its count</source>
        <translation>它返回的既不是单个张量，也不是总和与个数</translation>
    </message>
    <message>
        <source>none of its parameters requires a gradient</source>
        <translation>它的参数都不需要梯度</translation>
    </message>
    <message>
        <source>a loss of one number for each sample or token, or a sum with its count, is needed</source>
        <translation>需要每个样本或词元各一个数的损失，或总和与个数</translation>
    </message>
    <message>
        <source>[samples, {classes} or more, ...] is needed, for text [samples, {block}, {classes} or more]</source>
        <translation>需要 [samples, {classes} 或更多, ...]，文本则需要 [samples, {block}, {classes} 或更多]</translation>
    </message>
    <message>
        <source>as many as {classes} numbers for each sample are needed</source>
        <translation>每个样本需要 {classes} 个数</translation>
    </message>
    <message>
        <source>it is neither a running mean or variance nor a counter</source>
        <translation>它既不是滑动均值或滑动方差，也不是计数器</translation>
    </message>
    <message>
        <source>it is not an average with a fixed momentum; momentum=None is an example</source>
        <translation>它不按固定比例保留原来的值，例如 momentum=None 时</translation>
    </message>
    <message>
        <source>it moves a different number of times from one pass to the next</source>
        <translation>各次前向计算移动它的次数不固定</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>inputs {type} {@shape}</source>
        <translation>输入 {type} {@shape}</translation>
    </message>
    <message>
        <source>targets {type} {@shape}</source>
        <translation>目标 {type} {@shape}</translation>
    </message>
    <message>
        <source>real numbers to predict</source>
        <translation>要预测的实数</translation>
    </message>
    <message>
        <source>{#samples} training samples</source>
        <translation>{#samples} 个训练样本</translation>
    </message>
    <message>
        <source>{#samples} test samples</source>
        <translation>{#samples} 个测试样本</translation>
    </message>
    <message>
        <source>{size} of inputs, read from the file as they are needed</source>
        <translation>输入 {size}，需要时从文件读取</translation>
    </message>
    <message>
        <source>{size} of inputs, unpacked into memory</source>
        <translation>输入 {size}，解压到内存中</translation>
    </message>
    <message>
        <source>{#characters} characters</source>
        <translation>{#characters} 个字符</translation>
    </message>
    <message>
        <source>{#symbols} different characters</source>
        <translation>{#symbols} 个不同的字符</translation>
    </message>
    <message>
        <source>Token file</source>
        <translation>词元文件</translation>
    </message>
    <message>
        <source>{#tokens} tokens of {bits} bits</source>
        <translation>{#tokens} 个 {bits} 位的词元</translation>
    </message>
    <message>
        <source>{#tokens} tokens, apparently of {bits} bits</source>
        <translation>{#tokens} 个词元，看起来是 {bits} 位</translation>
    </message>
    <message>
        <source>vocabulary of {#vocabulary}</source>
        <translation>词表大小 {#vocabulary}</translation>
    </message>
    <message>
        <source>test samples from {path}</source>
        <translation>测试样本来自 {path}</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>{#rows} rows</source>
        <translation>{#rows} 行</translation>
    </message>
    <message>
        <source>{#rows} test rows</source>
        <translation>{#rows} 个测试行</translation>
    </message>
    <message>
        <source>columns: {#numbers} numeric, {#categories} categorical</source>
        <translation>列：{#numbers} 个数值列，{#categories} 个类别列</translation>
    </message>
    <message>
        <source>{#inputs} inputs</source>
        <translation>{#inputs} 个输入</translation>
    </message>
    <message>
        <source>target {target}: classes 0 to {last}</source>
        <translation>目标 {target}：类别 0 至 {last}</translation>
    </message>
    <message>
        <source>target {target}: {#classes} classes</source>
        <translation>目标 {target}：{#classes} 个类别</translation>
    </message>
    <message>
        <source>target {target}: numbers</source>
        <translation>目标 {target}：数值</translation>
    </message>
    <message>
        <source>{#values} missing values</source>
        <translation>{#values} 个缺失值</translation>
    </message>
    <message>
        <source>{#values} values of categories without training rows</source>
        <translation>{#values} 个值所属的类别没有训练行</translation>
    </message>
    <message>
        <source>The 90 % interval lies inside ±{margin}{@unit}, but the network mixes the samples of a micro-batch, and the groups&apos; micro-batches differ: they are different methods, and a small difference here says nothing about others.</source>
        <translation>90 % 区间位于 ±{margin}{@unit}之内，但网络会混合同一微批次中的样本，而两组的微批次不同：它们是不同的方法，此处差异小并不能说明其他情形。</translation>
    </message>
    <message>
        <source>Random numbers differ between the arms: the network uses them while it trains (for dropout, for example).</source>
        <translation>两组所用的随机数不同：网络在训练时会使用随机数（如 dropout）。</translation>
    </message>
    <message>
        <source>Better: {@a} ({@direction}).</source>
        <translation>较优：{@a}（{@direction}）。</translation>
    </message>
    <message>
        <source>Better: {@b} ({@direction}).</source>
        <translation>较优：{@b}（{@direction}）。</translation>
    </message>
    <message>
        <source>higher is better</source>
        <translation>越高越好</translation>
    </message>
    <message>
        <source>lower is better</source>
        <translation>越低越好</translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>top-5 test accuracy</source>
        <translation>top-5 测试准确率</translation>
    </message>
    <message>
        <source>test perplexity</source>
        <translation>测试困惑度</translation>
    </message>
    <message>
        <source>mean absolute test error</source>
        <translation>测试平均绝对误差</translation>
    </message>
    <message>
        <source>root mean squared test error</source>
        <translation>测试均方根误差</translation>
    </message>
    <message>
        <source>test R²</source>
        <translation>测试 R²</translation>
    </message>
    <message>
        <source>final top-5 test accuracy</source>
        <translation>最终 top-5 测试准确率</translation>
    </message>
    <message>
        <source>final test perplexity</source>
        <translation>最终测试困惑度</translation>
    </message>
    <message>
        <source>final mean absolute error</source>
        <translation>最终平均绝对误差</translation>
    </message>
    <message>
        <source>final root mean squared error</source>
        <translation>最终均方根误差</translation>
    </message>
    <message>
        <source>final R²</source>
        <translation>最终 R²</translation>
    </message>
    <message>
        <source>{#bytes} bytes of compressed arrays</source>
        <translation>{#bytes} 字节的压缩数组</translation>
    </message>
    <message>
        <source>(one number)</source>
        <translation>（单个数）</translation>
    </message>
    <message>
        <source>none of the arrays that are looked for</source>
        <translation>没有任何所需的数组</translation>
    </message>
    <message>
        <source>sample {sample}, counted from 0</source>
        <translation>样本 {sample}，从 0 开始计数</translation>
    </message>
    <message>
        <source>sample {sample}, element {element}, counted from 0</source>
        <translation>样本 {sample}，元素 {element}，从 0 开始计数</translation>
    </message>
    <message>
        <source>inputs of whole numbers</source>
        <translation>整数输入</translation>
    </message>
    <message>
        <source>inputs of real numbers or of bytes</source>
        <translation>实数或字节输入</translation>
    </message>
    <message>
        <source>samples of {dimensions} dimensions</source>
        <translation>{dimensions} 维的样本</translation>
    </message>
    <message>
        <source>samples of 3 dimensions: channels, height and width</source>
        <translation>3 维的样本：通道、高和宽</translation>
    </message>
    <message>
        <source>targets of real numbers with loss.kind = &quot;cross-entropy&quot;</source>
        <translation>loss.kind = &quot;cross-entropy&quot; 时的实数目标</translation>
    </message>
    <message>
        <source>targets of {targets} classes for each sample</source>
        <translation>每个样本有 {targets} 个类别的目标</translation>
    </message>
    <message>
        <source>one class for each sample</source>
        <translation>每个样本一个类别</translation>
    </message>
    <message>
        <source>classes with this loss</source>
        <translation>此损失下的类别</translation>
    </message>
    <message>
        <source>file of the model</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>file of initial weights</source>
        <translation>初始权重文件</translation>
    </message>
    <message>
        <source>only a model from a file can compute its loss itself</source>
        <translation>只有来自文件的模型才能自行计算损失</translation>
    </message>
    <message>
        <source>Set loss.kind = &quot;cross-entropy&quot;, or bring a model with model.name = &quot;file&quot;</source>
        <translation>请设置 loss.kind = &quot;cross-entropy&quot;，或以 model.name = &quot;file&quot; 使用自己的模型</translation>
    </message>
    <message>
        <source>its targets are classes or tokens, and this loss compares numbers</source>
        <translation>其目标是类别或词元，而此损失比较的是数值</translation>
    </message>
    <message>
        <source>Set loss.kind = &quot;cross-entropy&quot;, or bring data with real targets</source>
        <translation>请设置 loss.kind = &quot;cross-entropy&quot;，或使用目标为实数的数据</translation>
    </message>
    <message>
        <source>label smoothing spreads the loss over all classes, including those excluded by a weight of 0</source>
        <translation>标签平滑会把损失分给权重为 0、本不计入损失的类别</translation>
    </message>
    <message>
        <source>Set loss.label_smoothing = 0, or give every class a weight above 0</source>
        <translation>请设置 loss.label_smoothing = 0，或让每个类别的权重都大于 0</translation>
    </message>
    <message>
        <source>the number of losses of a micro-batch is not known before it has been computed as a whole</source>
        <translation>微批次的损失个数在整个微批次计算完之前是未知的</translation>
    </message>
    <message>
        <source>Set batch.lean = false, or loss.normalise = &quot;samples&quot;</source>
        <translation>请设置 batch.lean = false 或 loss.normalise = &quot;samples&quot;</translation>
    </message>
    <message>
        <source>runs with this loss do not measure it</source>
        <translation>使用此损失的运行不测量它</translation>
    </message>
    <message>
        <source>Set study.metric = &quot;auto&quot; or &quot;{metric}&quot;</source>
        <translation>请设置 study.metric = &quot;auto&quot; 或 &quot;{metric}&quot;</translation>
    </message>
    <message>
        <source>the network uses random numbers, which a recording would repeat</source>
        <translation>网络使用随机数，而录制会重复同样的随机数</translation>
    </message>
    <message>
        <source>the data do not lie on the GPU: they do not fit into its memory, or are neither images nor tokens of 8 bits</source>
        <translation>数据不在 GPU 上：GPU 内存放不下，或数据既不是图像也不是 8 位的词元</translation>
    </message>
    <message>
        <source>no file is given: data.path is empty</source>
        <translation>没有给出文件：data.path 为空</translation>
    </message>
    <message>
        <source>the folder holds neither inputs.npy nor targets.npy</source>
        <translation>该文件夹中既没有 inputs.npy，也没有 targets.npy</translation>
    </message>
    <message>
        <source>it is neither an .npz nor an .npy nor a .safetensors file</source>
        <translation>它既不是 .npz 或 .npy，也不是 .safetensors 文件</translation>
    </message>
    <message>
        <source>it begins like a zip file, but its directory is damaged or missing</source>
        <translation>它的开头像 zip 文件，但目录已损坏或缺失</translation>
    </message>
    <message>
        <source>it is a zip file without any .npy in it</source>
        <translation>它是 zip 文件，但其中没有 .npy</translation>
    </message>
    <message>
        <source>its data are damaged or cut off</source>
        <translation>其数据已损坏或不完整</translation>
    </message>
    <message>
        <source>it promises {promised} bytes, more than its {size} compressed bytes can hold</source>
        <translation>它声明有 {promised} 字节，超过其 {size} 字节压缩数据所能容纳的</translation>
    </message>
    <message>
        <source>it is encrypted</source>
        <translation>它已加密</translation>
    </message>
    <message>
        <source>it is compressed by method {method}, not by deflate</source>
        <translation>它以方法 {method} 压缩，而不是 deflate</translation>
    </message>
    <message>
        <source>it does not begin as an .npy file</source>
        <translation>其开头不是 .npy 文件的开头</translation>
    </message>
    <message>
        <source>its format has version {version}; 1 to 3 are known</source>
        <translation>其格式版本为 {version}；已知的是 1 到 3</translation>
    </message>
    <message>
        <source>its header is damaged</source>
        <translation>其文件头已损坏</translation>
    </message>
    <message>
        <source>it holds records of several fields</source>
        <translation>它含有由多个字段组成的记录</translation>
    </message>
    <message>
        <source>it holds Python objects, which are never read: they could run code</source>
        <translation>它含有 Python 对象，这类对象从不读取：它们可能会执行代码</translation>
    </message>
    <message>
        <source>its type {type} is not one of bool, (u)int8, 16 or 32, int64, float16, 32 or 64</source>
        <translation>其类型 {type} 不是 bool、(u)int8、16 或 32、int64、float16、32 或 64 之一</translation>
    </message>
    <message>
        <source>its numbers are big-endian ({type})</source>
        <translation>其数值为大端序（{type}）</translation>
    </message>
    <message>
        <source>its elements lie in Fortran order</source>
        <translation>其元素按 Fortran 顺序排列</translation>
    </message>
    <message>
        <source>its header promises {promised} bytes, but {size} are there</source>
        <translation>其文件头声明有 {promised} 字节，而实际有 {size} 字节</translation>
    </message>
    <message>
        <source>it has {bytes} extra bytes after its last element</source>
        <translation>最后一个元素之后多出 {bytes} 字节</translation>
    </message>
    <message>
        <source>it is a single number</source>
        <translation>它是单个数</translation>
    </message>
    <message>
        <source>it is empty: its shape is {shape}</source>
        <translation>它是空的：其形状为 {shape}</translation>
    </message>
    <message>
        <source>all its targets are -100, which means ignored</source>
        <translation>其所有目标都是 -100，不计入损失</translation>
    </message>
    <message>
        <source>they are {array}: whole numbers stay as they are</source>
        <translation>它们是 {array}：整数保持原样</translation>
    </message>
    <message>
        <source>there are {values} values, but the inputs are {array} and have {channels} channels</source>
        <translation>有 {values} 个值，而输入是 {array}，有 {channels} 个通道</translation>
    </message>
    <message>
        <source>Save it again: numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)</source>
        <translation>请重新保存：numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)</translation>
    </message>
    <message>
        <source>Save plain numbers, for example x.astype(numpy.float32) or labels.astype(numpy.int64)</source>
        <translation>请保存普通的数值，例如 x.astype(numpy.float32) 或 labels.astype(numpy.int64)</translation>
    </message>
    <message>
        <source>Save x.astype(x.dtype.newbyteorder(&quot;&lt;&quot;))</source>
        <translation>请保存 x.astype(x.dtype.newbyteorder(&quot;&lt;&quot;))</translation>
    </message>
    <message>
        <source>Save numpy.ascontiguousarray(x)</source>
        <translation>请保存 numpy.ascontiguousarray(x)</translation>
    </message>
    <message>
        <source>Save one entry for each sample: the first dimension counts them</source>
        <translation>请为每个样本保存一项：第一个维度是样本数</translation>
    </message>
    <message>
        <source>Save them as inputs and targets: numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)</source>
        <translation>请将它们保存为 inputs 和 targets：numpy.savez(&quot;data.npz&quot;, inputs=x, targets=y)</translation>
    </message>
    <message>
        <source>Save the test samples as test_inputs and test_targets, or in a file of their own as inputs and targets</source>
        <translation>请将测试样本保存为 test_inputs 和 test_targets，或在单独的文件中保存为 inputs 和 targets</translation>
    </message>
    <message>
        <source>Leave {key} empty, or save the inputs as numpy.float32</source>
        <translation>请将 {key} 留空，或将输入保存为 numpy.float32</translation>
    </message>
    <message>
        <source>Give one value, or one for each channel, the first dimension of a sample</source>
        <translation>请给出一个值，或每个通道一个值，通道即样本的第一个维度</translation>
    </message>
    <message>
        <source>Save the inputs as numpy.float32; whole numbers are for networks that look them up, which model.name = &quot;file&quot; can bring</source>
        <translation>请将输入保存为 numpy.float32；整数用于查表的网络，可通过 model.name = &quot;file&quot; 使用这类网络</translation>
    </message>
    <message>
        <source>Keep one of them (targets[:, 0]); or set model.name = &quot;file&quot; for a network that returns [samples, classes, targets]</source>
        <translation>请只保留其中一个（targets[:, 0]）；或设置 model.name = &quot;file&quot;，使用返回 [样本, 类别, 目标] 的网络</translation>
    </message>
    <message>
        <source>Reshape the samples, or set model.name = &quot;mlp&quot;, which takes any shape</source>
        <translation>请改变样本的形状，或设置 model.name = &quot;mlp&quot;，它接受任何形状</translation>
    </message>
    <message>
        <source>Set loss.kind = &quot;mse&quot; for numbers, or number the classes from 0 (numpy.int64); a table may also name them</source>
        <translation>目标是数值时请设置 loss.kind = &quot;mse&quot;；是类别时请从 0 开始编号（numpy.int64），表格中也可用名称</translation>
    </message>
    <message>
        <source>all its characters are the same</source>
        <translation>其所有字符都相同</translation>
    </message>
    <message>
        <source>one sample of data.block = {block} takes {bytes} tokens; it has {size}</source>
        <translation>data.block = {block} 的一个样本需要 {bytes} 个词元；它有 {size} 个</translation>
    </message>
    <message>
        <source>the folder holds no train.bin, no train.txt and no other .txt or .bin file</source>
        <translation>该文件夹中没有 train.bin 或 train.txt，也没有其他 .txt 或 .bin 文件</translation>
    </message>
    <message>
        <source>the folder holds {files} {kind} files, and none is named train{kind}</source>
        <translation>该文件夹中有 {files} 个 {kind} 文件，但都不叫 train{kind}</translation>
    </message>
    <message>
        <source>one is a text and the other, {other}, a token file (.bin)</source>
        <translation>一个是文本，另一个 {other} 是词元文件（.bin）</translation>
    </message>
    <message>
        <source>tokens are smaller than data.vocabulary = {vocabulary}</source>
        <translation>词元须小于 data.vocabulary = {vocabulary}</translation>
    </message>
    <message>
        <source>no tokenizer has a vocabulary of {vocabulary}</source>
        <translation>没有哪个分词器的词表会大到 {vocabulary}</translation>
    </message>
    <message>
        <source>there is no {part} in {folder}</source>
        <translation>{folder} 中没有 {part}</translation>
    </message>
    <message>
        <source>no file is given: the path is empty</source>
        <translation>没有给出文件：路径为空</translation>
    </message>
    <message>
        <source>it holds a zero byte: it is a binary or compressed file, or encoded in UTF-16</source>
        <translation>它含有零字节：它是二进制或压缩文件，或以 UTF-16 编码</translation>
    </message>
    <message>
        <source>the row that begins here is longer than 16 MiB: a quote is probably not closed</source>
        <translation>从这里开始的行超过 16 MiB：很可能有引号没有闭合</translation>
    </message>
    <message>
        <source>there is a quote inside a field that does not begin with one, or text behind a closing quote</source>
        <translation>有的字段不以引号开头却含有引号，或闭合引号之后还有文字</translation>
    </message>
    <message>
        <source>a quote that opens in this row is not closed</source>
        <translation>这一行中有引号没有闭合</translation>
    </message>
    <message>
        <source>it has {fields} fields, and the header names {columns} columns</source>
        <translation>它有 {fields} 个字段，而表头有 {columns} 列</translation>
    </message>
    <message>
        <source>the file changed while it was being read</source>
        <translation>文件在读取期间被更改</translation>
    </message>
    <message>
        <source>it has more than {largest} columns</source>
        <translation>列数超过 {largest}</translation>
    </message>
    <message>
        <source>with one input for each category it has {inputs} inputs: more than {largest}, or names too long for a file of weights</source>
        <translation>每个类别一个输入时，它共有 {inputs} 个输入：超过 {largest} 个，或名称过长，权重文件无法容纳</translation>
    </message>
    <message>
        <source>its first line names one column only, with no comma, semicolon or tab</source>
        <translation>其第一行只有一个列名，没有逗号、分号或制表符</translation>
    </message>
    <message>
        <source>column {place} has no name</source>
        <translation>第 {place} 列没有名称</translation>
    </message>
    <message>
        <source>the columns {place} and {second} have the same name, {column}</source>
        <translation>第 {place} 列和第 {second} 列同名：{column}</translation>
    </message>
    <message>
        <source>it has no column {column}</source>
        <translation>它没有列 {column}</translation>
    </message>
    <message>
        <source>no row follows the header</source>
        <translation>表头之后没有任何行</translation>
    </message>
    <message>
        <source>no name is given: data.target is empty</source>
        <translation>没有给出名称：data.target 为空</translation>
    </message>
    <message>
        <source>there is no column {target}</source>
        <translation>没有列 {target}</translation>
    </message>
    <message>
        <source>line {line} holds a number that is not finite</source>
        <translation>第 {line} 行有非有限的数</translation>
    </message>
    <message>
        <source>Leave the field empty, or clip the number</source>
        <translation>请将该字段留空，或将该数截断到有限范围</translation>
    </message>
    <message>
        <source>line {line} has a number with a comma, {text}</source>
        <translation>第 {line} 行有带逗号的数 {text}</translation>
    </message>
    <message>
        <source>Write numbers with a decimal point and without commas between thousands</source>
        <translation>书写数值时请使用小数点，不要用逗号分隔千位</translation>
    </message>
    <message>
        <source>line {line} has {text}, which is no number, and the column has more than {largest} different values, or long ones</source>
        <translation>第 {line} 行有 {text}，它不是数值，而该列有超过 {largest} 个不同的值，或值过长</translation>
    </message>
    <message>
        <source>Leave the column out where it is an identifier or free text; correct that value where it should be a number; or put values together</source>
        <translation>若该列是标识符或自由文本，请去掉该列；若该值应为数值，请更正它；或合并一些值</translation>
    </message>
    <message>
        <source>line {line} has no value, and it is the target</source>
        <translation>第 {line} 行没有值，而该列是目标</translation>
    </message>
    <message>
        <source>Leave out the rows without a target</source>
        <translation>请去掉没有目标的行</translation>
    </message>
    <message>
        <source>it is {text} in every row, so there is nothing to predict</source>
        <translation>它在每一行都是 {text}，因此没有可预测的内容</translation>
    </message>
    <message>
        <source>Set data.target to another column, or add rows</source>
        <translation>请将 data.target 设为另一列，或增加行</translation>
    </message>
    <message>
        <source>line {line} has {text}, which is no number, and the training rows have only numbers there</source>
        <translation>第 {line} 行有 {text}，它不是数值，而训练行在该列只有数值</translation>
    </message>
    <message>
        <source>Correct that value, or leave the field empty where it is unknown</source>
        <translation>请更正该值；若其未知，请将该字段留空</translation>
    </message>
    <message>
        <source>its {detail} MiB do not fit into memory</source>
        <translation>其 {detail} MiB 放不进内存</translation>
    </message>
    <message>
        <source>it is neither a safetensors file nor one that torch.save has written</source>
        <translation>它既不是 safetensors 文件，也不是 torch.save 写出的文件</translation>
    </message>
    <message>
        <source>it is a pickle from before PyTorch 1.6 or from another program</source>
        <translation>它是 PyTorch 1.6 之前的 pickle，或由其他程序写出的 pickle</translation>
    </message>
    <message>
        <source>it is a TorchScript module, a network for model.path</source>
        <translation>它是 TorchScript 模块，即用于 model.path 的网络</translation>
    </message>
    <message>
        <source>it is a zip archive, but not one that torch.save has written</source>
        <translation>它是 zip 压缩包，但不是 torch.save 写出的</translation>
    </message>
    <message>
        <source>it holds no state dict, that is, no dictionary of names and tensors</source>
        <translation>它不含 state dict，即由名称和张量组成的字典</translation>
    </message>
    <message>
        <source>it was written on a big-endian machine</source>
        <translation>它是在大端序的计算机上写出的</translation>
    </message>
    <message>
        <source>its tensors of type {type} are not understood</source>
        <translation>无法识别类型为 {type} 的张量</translation>
    </message>
    <message>
        <source>there are not enough bytes in {record}</source>
        <translation>{record} 中的字节不够</translation>
    </message>
    <message>
        <source>the tensor {parameter} reaches beyond its bytes</source>
        <translation>{parameter} 超出了其字节的范围</translation>
    </message>
    <message>
        <source>its {first} and {second} differ, and are one tensor in the network</source>
        <translation>其中的 {first} 和 {second} 不同，而它们在网络中是同一个张量</translation>
    </message>
    <message>
        <source>both {first} and {second} hold such a network</source>
        <translation>{first} 和 {second} 都含有这样的网络</translation>
    </message>
    <message>
        <source>only {fitting} of {parameters} parameters fit; these do not (there -&gt; in the model): {list}</source>
        <translation>{parameters} 个参数中有 {fitting} 个相符；以下不符（文件中 -&gt; 模型中）：{list}</translation>
    </message>
    <message>
        <source>running statistics are missing or of another shape (there -&gt; in the model): {list}</source>
        <translation>滑动统计量缺失或形状不同（文件中 -&gt; 模型中）：{list}</translation>
    </message>
    <message>
        <source>it names {name}, which is code; nothing of it was run</source>
        <translation>它引用了 {name}，这是代码；其中没有任何内容被执行</translation>
    </message>
    <message>
        <source>its list of names is damaged at byte {at}</source>
        <translation>其名称列表在第 {at} 字节处已损坏</translation>
    </message>
    <message>
        <source>its zip archive is damaged</source>
        <translation>其 zip 压缩包已损坏</translation>
    </message>
    <message>
        <source>two entries of its zip archive have the same name</source>
        <translation>其 zip 压缩包中有两个条目同名</translation>
    </message>
    <message>
        <source>its part {name} is compressed, which torch.save never does</source>
        <translation>{name} 已压缩，而 torch.save 从不压缩</translation>
    </message>
    <message>
        <source>its part {name} is damaged: its checksum is wrong</source>
        <translation>{name} 已损坏：校验和不符</translation>
    </message>
    <message>
        <source>Save the state dict of one network only</source>
        <translation>请只保存一个网络的 state dict</translation>
    </message>
    <message>
        <source>Set model.new_head = true to draw the last layer anew, or use weights for as many outputs</source>
        <translation>请设置 model.new_head = true 以重新初始化最后一层，或使用输出数相同的权重</translation>
    </message>
    <message>
        <source>Use weights of the same network, or the model settings that they were trained with</source>
        <translation>请使用同一网络的权重，或使用训练这些权重时的模型设置</translation>
    </message>
    <message>
        <source>the parameter {parameter} holds values that are not finite real numbers</source>
        <translation>参数 {parameter} 含有非有限实数的值</translation>
    </message>
    <message>
        <source>Set data.test_path to a file with test samples, or data.validation to the number of training samples to use instead. A file of tensors may also hold test_inputs and test_targets.</source>
        <translation>请将 data.test_path 设为含测试样本的文件，或将 data.validation 设为改用多少个训练样本。张量文件也可以包含 test_inputs 和 test_targets。</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>about {#value} loss units ({confidence} %: {#low} to {#high}), an order of magnitude</source>
        <translation>约 {#value} 个损失单位（{confidence} %：{#low} 至 {#high}），仅为数量级</translation>
    </message>
    <message>
        <source>about {#value} loss units; parts of the run: {#parts}, from {#low} to {#high}</source>
        <translation>约 {#value} 个损失单位；运行分为 {#parts} 段，从 {#low} 到 {#high}</translation>
    </message>
    <message>
        <source>LibTorch cannot read it: {detail}</source>
        <translation>LibTorch 无法读取它：{detail}</translation>
    </message>
    <message>
        <source>{file} cannot compute in {precision}.</source>
        <translation>{file} 无法以 {precision} 计算。</translation>
    </message>
    <message>
        <source>It knows {other} alone: that type is written into it, as tracing, or float() and torch.zeros() in forward, do.</source>
        <translation>它只能用 {other}：该类型已写死在其中，跟踪（trace）或 forward 中的 float()、torch.zeros() 会造成这种情况。</translation>
    </message>
    <message>
        <source>Set numerics.precision = &quot;{other}&quot;, or export the network so that it follows the type of its inputs.</source>
        <translation>请设置 numerics.precision = &quot;{other}&quot;，或重新导出网络，使其遵循输入的类型。</translation>
    </message>
    <message>
        <source>The network cannot compute in fp64, so there is no fp64 reference.</source>
        <translation>该网络无法以 fp64 计算，因此没有 fp64 参考。</translation>
    </message>
    <message>
        <source>{file} does not switch to evaluation mode.</source>
        <translation>{file} 不会切换到评估模式。</translation>
    </message>
    <message>
        <source>{@reason}: it was traced in training mode, or its forward does not look at self.training.</source>
        <translation>{@reason}：它是在训练模式下跟踪（trace）得到的，或者其 forward 不看 self.training。</translation>
    </message>
    <message>
        <source>Export it again: torch.jit.script(net), or torch.jit.trace(net.eval(), example), which leaves dropout out and freezes BatchNorm. Functions such as functional.dropout need training=self.training.</source>
        <translation>请重新导出：使用 torch.jit.script(net)，或 torch.jit.trace(net.eval(), example)，后者会去掉 dropout 并冻结 BatchNorm。functional.dropout 之类的函数需要 training=self.training。</translation>
    </message>
    <message>
        <source>The targets run from {least} to {largest}, but loss.kind = &quot;bce-with-logits&quot; needs numbers from 0 to 1.</source>
        <translation>目标的取值从 {least} 到 {largest}，而 loss.kind = &quot;bce-with-logits&quot; 只能学习 0 到 1 之间的数值。</translation>
    </message>
    <message>
        <source>The target column holds words ({words}), but this loss needs numbers.</source>
        <translation>目标列里是文字（{words}），而这种损失学习的是数。</translation>
    </message>
    <message>
        <source>Numbering words alphabetically would give them sizes and distances that mean nothing.</source>
        <translation>若按字母顺序编号，它们就有了大小和远近，而这个顺序并不表示这些。</translation>
    </message>
    <message>
        <source>Set loss.kind = &quot;cross-entropy&quot;, which takes them for classes, or give numbers in the column.</source>
        <translation>设置 loss.kind = &quot;cross-entropy&quot;，它把文字当作类别；或者在该列中给出数。</translation>
    </message>
    <message>
        <source>This loss treats targets as probabilities. Outside 0 to 1 it has no lower bound.</source>
        <translation>这种损失把目标视为概率。超出 0 到 1 时，它没有下界。</translation>
    </message>
    <message>
        <source>Give targets of 0 and 1, or set loss.kind = &quot;cross-entropy&quot; for classes and &quot;mse&quot; for numbers.</source>
        <translation>请提供 0 和 1 的目标；类别请设置 loss.kind = &quot;cross-entropy&quot;，数值请设置 &quot;mse&quot;。</translation>
    </message>
    <message>
        <source>The targets hold -100 in {#ignored} places, which only loss.kind = &quot;cross-entropy&quot; leaves out.</source>
        <translation>目标中有 {#ignored} 处为 -100，只有 loss.kind = &quot;cross-entropy&quot; 会将其忽略。</translation>
    </message>
    <message>
        <source>Other losses would take it for a number and learn to predict -100.</source>
        <translation>其他损失比较数值，会学着输出 -100。</translation>
    </message>
    <message>
        <source>Take these samples out of the data, or set loss.kind = &quot;cross-entropy&quot;.</source>
        <translation>请从数据中去掉这些样本，或设置 loss.kind = &quot;cross-entropy&quot;。</translation>
    </message>
    <message>
        <source>All {#samples} held-out samples are of class {class}, and the training samples have others: the end of the file is held out, and it is probably sorted. Shuffle its rows, or set data.test_path.</source>
        <translation>留出的 {#samples} 个样本全都属于类别 {class}，而训练样本中还有其他类别：留出的是文件末尾，文件很可能是按类别排序的。请打乱其中各行的顺序，或设置 data.test_path。</translation>
    </message>
    <message>
        <source>The activations of a network from a file are not known; Plan micro-batch measures them.</source>
        <translation>文件中网络的激活值所占内存未知；“规划微批次”会测量它。</translation>
    </message>
    <message>
        <source>Needs more than {needed} ({@source}), {@room}.</source>
        <translation>需要超过 {needed}（{@source}），{@room}。</translation>
    </message>
    <message>
        <source>Hold out {#samples} samples</source>
        <translation>留出 {#samples} 个样本</translation>
    </message>
    <message>
        <source>Not taken from {file}, because it has them in another shape or not at all: {parameters}. They keep the values of the network&apos;s file.</source>
        <translation>未从 {file} 取用，因为其中没有这些参数或形状不同：{parameters}。它们保留网络文件中的值。</translation>
    </message>
    <message>
        <source>{file} has no running statistics: BatchNorm layers keep those of the network&apos;s file.</source>
        <translation>{file} 中没有滑动统计量：BatchNorm 层保留网络文件中的统计量。</translation>
    </message>
    <message>
        <source>Networks are TorchScript (.pt), weights safetensors or a state dict (.pt, .pth), data .npz, .safetensors, .csv, .tsv, .txt, .bin, a folder with inputs.npy and targets.npy, or one of images</source>
        <translation>网络应为 TorchScript（.pt），权重应为 safetensors 或 state dict（.pt、.pth），数据应为 .npz、.safetensors、.csv、.tsv、.txt、.bin、含有 inputs.npy 和 targets.npy 的文件夹，或图像文件夹</translation>
    </message>
    <message>
        <source>all held-out samples of class {class}</source>
        <translation>留出的样本全都属于类别 {class}</translation>
    </message>
    <message>
        <source>no test samples: the {#samples} validation samples take their place, so the best checkpoint looks better than it is</source>
        <translation>没有测试样本：以 {#samples} 个验证样本代替，因此最佳检查点的结果偏乐观</translation>
    </message>
    <message>
        <source> The network mixes the samples of each part by itself, which changes the gradient.</source>
        <translation>网络只在各部分内部混合样本，梯度因此改变。</translation>
    </message>
    <message>
        <source> Each part draws its own random numbers, as for dropout.</source>
        <translation>各部分使用各自的随机数（如 dropout）。</translation>
    </message>
    <message>
        <source>without activations</source>
        <translation>不含激活值</translation>
    </message>
    <message>
        <source>its columns hold more than {#largest} different words</source>
        <translation>其各列共有超过 {#largest} 个不同的词</translation>
    </message>
    <message>
        <source>its list of tensors is larger than 16 MiB or two million values</source>
        <translation>其张量列表超过 16 MiB 或两百万个值</translation>
    </message>
    <message>
        <source>it was written by a PyTorch before 1.4</source>
        <translation>它由 1.4 之前的 PyTorch 写出</translation>
    </message>
    <message>
        <source>no trained parameter reaches its output: something detaches it or computes under torch.no_grad()</source>
        <translation>没有任何可训练参数影响它的输出：某处使用了 detach() 或在 torch.no_grad() 下计算</translation>
    </message>
    <message>
        <source>Dropout draws in evaluation, too</source>
        <translation>Dropout 在评估时也会随机丢弃</translation>
    </message>
    <message>
        <source>BatchNorm moves its running statistics in evaluation, too</source>
        <translation>BatchNorm 在评估时也会更新滑动统计量</translation>
    </message>
    <message>
        <source>The request to the library was cancelled.</source>
        <translation>对库的请求已取消。</translation>
    </message>
    <message>
        <source>Try again; no partial result was kept.</source>
        <translation>请重新请求：没有保留任何结果。</translation>
    </message>
    <message>
        <source>Check its permissions, then empty the trash again.</source>
        <translation>请检查其权限，然后再次清空回收站。</translation>
    </message>
    <message>
        <source>A warm-up of {warmup} updates does not fit into this run, which makes {updates}.</source>
        <translation>预热 {warmup} 次参数更新超出了本次运行，本次运行只有 {updates} 次。</translation>
    </message>
    <message>
        <source>Accumulation saves {percent} % of training memory: {accumulated} in place of {large}.</source>
        <translation>累积节省 {percent} % 的训练内存：{accumulated}，而不是 {large}。</translation>
    </message>
    <message>
        <source>That is training alone: evaluations of the accumulated arm take up to {evaluation}.</source>
        <translation>这只是训练：累积组的评估最多占用 {evaluation}。</translation>
    </message>
    <message>
        <source>Accumulation takes {percent} % more training memory: {accumulated} in place of {large}.</source>
        <translation>累积多占 {percent} % 的训练内存：{accumulated}，而不是 {large}。</translation>
    </message>
    <message>
        <source>Both arms take the same training memory: {accumulated}.</source>
        <translation>两组占用相同的训练内存：{accumulated}。</translation>
    </message>
    <message>
        <source>No margin was fixed for this metric before the results were seen: it is judged by the default one.</source>
        <translation>在看到结果之前没有为该指标设定界限：按默认界限判断。</translation>
    </message>
    <message>
        <source>The metric was chosen after the results were seen: the study was to be judged by another one.</source>
        <translation>指标是在看到结果之后选定的：该研究原定按另一指标判断。</translation>
    </message>
    <message>
        <source>{file} cannot be imported.</source>
        <translation>{file} 无法导入。</translation>
    </message>
    <message>
        <source>It is neither an Accumulus library, nor a CSV or JSON file exported by Accumulus, nor a TensorBoard event file.</source>
        <translation>它既不是 Accumulus 的库，也不是 Accumulus 导出的 CSV 或 JSON，也不是 TensorBoard 的事件文件。</translation>
    </message>
    <message>
        <source>Choose a library (.sqlite), an exported .csv or .json, or a file whose name holds tfevents.</source>
        <translation>请选择一个库（.sqlite）、导出的 .csv 或 .json，或名称中含有 tfevents 的文件。</translation>
    </message>
    <message>
        <source>{file} is too large to be imported.</source>
        <translation>{file} 太大，无法导入。</translation>
    </message>
    <message>
        <source>It has {#bytes} bytes; files of up to {#limit} bytes are read.</source>
        <translation>它有 {#bytes} 字节；最多读取 {#limit} 字节的文件。</translation>
    </message>
    <message>
        <source>Import the library that it was exported from.</source>
        <translation>请导入它所来自的库。</translation>
    </message>
    <message>
        <source>{file} is not a valid Accumulus CSV export: line {#line}.</source>
        <translation>{file} 不是 Accumulus 导出的 CSV：第 {#line} 行。</translation>
    </message>
    <message>
        <source>Export the run again. Nothing was changed.</source>
        <translation>请重新导出该运行。没有任何改动。</translation>
    </message>
    <message>
        <source>{file} is not a valid Accumulus JSON export.</source>
        <translation>{file} 不是 Accumulus 导出的 JSON。</translation>
    </message>
    <message>
        <source>The event file {file} cannot be imported.</source>
        <translation>事件文件 {file} 无法导入。</translation>
    </message>
    <message>
        <source>Copy the file again after the program that writes it has finished. Nothing was changed.</source>
        <translation>请在文件不再被写入之后重新复制。没有任何改动。</translation>
    </message>
    <message>
        <source>{file} holds impossible values: {@kind} {#row}.</source>
        <translation>{file} 含有任何训练都不会有的值：{@kind} {#row}。</translation>
    </message>
    <message>
        <source>{file} does not say how many samples an update uses.</source>
        <translation>{file} 没有说明一次参数更新用了多少样本。</translation>
    </message>
    <message>
        <source>Only its steps are counted.</source>
        <translation>其中只计了步数。</translation>
    </message>
    <message>
        <source>Give the effective batch: --effective-batch N.</source>
        <translation>请给出有效批大小：--effective-batch N。</translation>
    </message>
    <message>
        <source>Run {run} was imported.</source>
        <translation>运行 {run} 是导入的。</translation>
    </message>
    <message>
        <source>Its checkpoints stay where it was trained.</source>
        <translation>它的检查点留在训练它的地方。</translation>
    </message>
    <message>
        <source>Resume or verify it there, or repeat it with `New from run`.</source>
        <translation>请在那里继续或验证，或用“以此新建”重新训练。</translation>
    </message>
    <message>
        <source>Run {name} ({run}) is protected.</source>
        <translation>运行 {name}（{run}）受保护。</translation>
    </message>
    <message>
        <source>Unprotect it first.</source>
        <translation>请先取消保护。</translation>
    </message>
    <message>
        <source>The library lies on a network file system: write-ahead logging is off, and writing is slower.</source>
        <translation>库位于网络文件系统上：已关闭预写日志，写入较慢。</translation>
    </message>
    <message>
        <source>Write-ahead logging is not possible here: reading and writing wait for each other.</source>
        <translation>此处无法使用预写日志：读取和写入会相互等待。</translation>
    </message>
    <message>
        <source>The library lies on read-only storage: everything but writing works.</source>
        <translation>库位于只读存储上：除写入外一切可用。</translation>
    </message>
    <message>
        <source>The latest changes are still in {file} and cannot be shown.</source>
        <translation>最后写入的内容仍在 {file} 中，无法看到。</translation>
    </message>
    <message>
        <source>{@error} The first rank now saves a checkpoint by itself.</source>
        <translation>{@error} rank 0 现在独自保存检查点。</translation>
    </message>
    <message>
        <source>--metric and --margin would have no effect here.</source>
        <translation>--metric 和 --margin 在这里不起作用。</translation>
    </message>
    <message>
        <source>They belong to comparisons, and {run} is a single run.</source>
        <translation>它们用于比较，而 {run} 是单个运行。</translation>
    </message>
    <message>
        <source>Leave them out, or name its study or a second run.</source>
        <translation>去掉它们；或者指定它的研究，或再指定一个运行。</translation>
    </message>
    <message>
        <source>Memory ran out here before: from now on, micro-batches that do not fit are computed in smaller parts. The effective batch stays the same.</source>
        <translation>此前这里内存不足：从现在起，放不下的微批次分成更小的部分计算。有效批大小不变。</translation>
    </message>
    <message>
        <source>Imported from {file}.</source>
        <translation>导入自 {file}。</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>a counter is negative, or larger than any training counts</source>
        <translation>某个计数为负，或大于任何训练的计数</translation>
    </message>
    <message>
        <source>its windows are not numbered upwards from 1</source>
        <translation>其窗口不是从 1 开始递增编号</translation>
    </message>
    <message>
        <source>its updates or samples do not increase</source>
        <translation>其参数更新或样本数没有递增</translation>
    </message>
    <message>
        <source>a time or the position in an epoch is negative, or no finite number</source>
        <translation>某个时间或轮次中的位置为负，或不是有限的数</translation>
    </message>
    <message>
        <source>the split of an evaluation is neither test nor validation</source>
        <translation>某个评估的数据划分既不是 test 也不是 validation</translation>
    </message>
    <message>
        <source>the same weights are evaluated twice on one split</source>
        <translation>同一权重在同一数据部分上被评估了两次</translation>
    </message>
    <message>
        <source>it does not have as many fields as the first line names</source>
        <translation>字段数与首行的列名数不符</translation>
    </message>
    <message>
        <source>the first line lacks one of the columns window, samples and loss, or names a column twice</source>
        <translation>首行缺少 window、samples、loss 之一，或有重复的列名</translation>
    </message>
    <message>
        <source>the value of {column} is not valid</source>
        <translation>{column} 的值不是有效的值</translation>
    </message>
    <message>
        <source>the kind of the row is none of window, evaluation and rank</source>
        <translation>该行的种类不是 window、evaluation 或 rank</translation>
    </message>
    <message>
        <source>the window of this rank is not listed above it, or the ranks of a window are not numbered from 0</source>
        <translation>该 rank 的窗口不在其上方，或窗口的各 rank 没有从 0 开始编号</translation>
    </message>
    <message>
        <source>it ends in the middle of a line; it was probably not copied completely</source>
        <translation>它在一行的中间结束，像是没有复制完整的文件</translation>
    </message>
    <message>
        <source>it holds no measurement</source>
        <translation>其中没有任何测量值</translation>
    </message>
    <message>
        <source>it is no JSON, or ends too early</source>
        <translation>它不是 JSON，或过早结束</translation>
    </message>
    <message>
        <source>it is not one run with its settings, windows and evaluations</source>
        <translation>它不是一个带有设置、窗口和评估的运行</translation>
    </message>
    <message>
        <source>a value of window {detail} is not valid</source>
        <translation>窗口 {detail} 的某个值不是有效的值</translation>
    </message>
    <message>
        <source>a value of evaluation {detail} is not valid</source>
        <translation>评估 {detail} 的某个值不是有效的值</translation>
    </message>
    <message>
        <source>it ends in the middle of the record at byte {#byte}; it was probably not copied completely</source>
        <translation>它在第 {#byte} 字节处的记录中间结束，像是没有复制完整的文件</translation>
    </message>
    <message>
        <source>the checksum of the record at byte {#byte} is wrong</source>
        <translation>第 {#byte} 字节处的记录的校验和错误</translation>
    </message>
    <message>
        <source>the record at byte {#byte} is no event</source>
        <translation>第 {#byte} 字节处的记录不是事件</translation>
    </message>
    <message>
        <source>a step is negative, or its time is no finite number</source>
        <translation>某个步数为负，或其时间不是有限的数</translation>
    </message>
    <message>
        <source>it holds no scalar such as train/loss, test/loss, test/accuracy or lr</source>
        <translation>其中没有 train/loss、test/loss、test/accuracy 或 lr 之类的标量</translation>
    </message>
    <message>
        <source>1 run imported.</source>
        <translation>已导入 1 个运行。</translation>
    </message>
    <message>
        <source>{#runs} runs imported.</source>
        <translation>已导入 {#runs} 个运行。</translation>
    </message>
    <message>
        <source>1 of these is in this library&apos;s Trash and can be restored there.</source>
        <translation>其中 1 个在本库的回收站中，可以从那里恢复。</translation>
    </message>
    <message>
        <source>{#runs} of these are in this library&apos;s Trash and can be restored there.</source>
        <translation>其中 {#runs} 个在本库的回收站中，可以从那里恢复。</translation>
    </message>
    <message>
        <source>1 run was in the library already and stays as it is.</source>
        <translation>1 个运行已在库中，保持不变。</translation>
    </message>
    <message>
        <source>{#runs} runs were in the library already and stay as they are.</source>
        <translation>{#runs} 个运行已在库中，保持不变。</translation>
    </message>
    <message>
        <source>1 run was left out: it has not ended.</source>
        <translation>略过 1 个运行：尚未结束。</translation>
    </message>
    <message>
        <source>{#runs} runs were left out: they have not ended.</source>
        <translation>略过 {#runs} 个运行：尚未结束。</translation>
    </message>
    <message>
        <source>1 run was left out: it is in the other library&apos;s Trash.</source>
        <translation>略过 1 个运行：它在另一个库的回收站中。</translation>
    </message>
    <message>
        <source>{#runs} runs were left out: they are in the other library&apos;s Trash.</source>
        <translation>略过 {#runs} 个运行：它们在另一个库的回收站中。</translation>
    </message>
    <message>
        <source>{metrics} metrics are judged together: the p values are corrected by Holm&apos;s method, for equivalence {pEquivalence}, for a difference {pDifference}.</source>
        <translation>{metrics} 个指标一并判定：p 值按 Holm 法校正，等价为 {pEquivalence}，差异为 {pDifference}。</translation>
    </message>
    <message>
        <source>Seeds were added after results had been seen: p values and intervals take no account of that.</source>
        <translation>在看到结果之后又增加了种子：p 值和区间未考虑这一点。</translation>
    </message>
    <message>
        <source>line {line} has {text}, which is no number, after numbers that are too many in this table to be kept as categories</source>
        <translation>第 {line} 行有 {text}，它不是数；之前的数在此表中太多，无法作为类别保存</translation>
    </message>
    <message>
        <source>it is the library itself</source>
        <translation>它就是当前库本身</translation>
    </message>
    <message>
        <source>it holds more than one run can, or is nested too deeply</source>
        <translation>其内容超出一个运行所能包含的范围，或嵌套过深</translation>
    </message>
    <message>
        <source>Its part {name} does not come from Accumulus</source>
        <translation>其中的 {name} 不属于 Accumulus</translation>
    </message>
    <message>
        <source>it is a library that is open elsewhere or was left behind by a crash; choose another name</source>
        <translation>它是某人正在使用的库，或是崩溃后留下的库；请换一个名称</translation>
    </message>
    <message>
        <source>This cannot be the name of a preset.</source>
        <translation>不能用作预设的名称。</translation>
    </message>
    <message>
        <source>Type another name.</source>
        <translation>请输入其他名称。</translation>
    </message>
    <message>
        <source>A preset named {name} exists already.</source>
        <translation>已有名为 {name} 的预设。</translation>
    </message>
    <message>
        <source>Overwrite it, or choose another name.</source>
        <translation>请将其覆盖，或换一个名称。</translation>
    </message>
    <message>
        <source>Presets cannot be changed in {folder}.</source>
        <translation>无法更改 {folder} 中的预设。</translation>
    </message>
    <message>
        <source>Ask for write permission there, free some disk space, or save to a file elsewhere.</source>
        <translation>请获取该处的写入权限，释放磁盘空间，或保存到别处的文件。</translation>
    </message>
    <message>
        <source>The presets in {folder} cannot be listed.</source>
        <translation>无法列出 {folder} 中的预设。</translation>
    </message>
    <message>
        <source>Check the folder and its permissions.</source>
        <translation>请检查该文件夹及其权限。</translation>
    </message>
    <message>
        <source>Training broke down at update {update}: the loss or the gradient is not finite (micro-step {microStep} of {microSteps}{@where}).</source>
        <translation>训练在第 {update} 次参数更新处失败：损失或梯度非有限（微步 {microStep} / {microSteps}{@where}）。</translation>
    </message>
    <message>
        <source>Training broke down at update {update}: the gradient of each of its {microSteps} micro-steps is finite, but their sum is not{@where}.</source>
        <translation>训练在第 {update} 次参数更新处失败：其 {microSteps} 个微步的梯度均为有限，其和非有限{@where}。</translation>
    </message>
    <message>
        <source>The sum is too large for the type that it is kept in.</source>
        <translation>其和超出了保存它的数据类型的范围。</translation>
    </message>
    <message>
        <source>Lower optimizer.lr, add clipping or warm-up, or set numerics.accumulator = &quot;fp32&quot;.</source>
        <translation>减小 optimizer.lr，加入裁剪或预热，或设置 numerics.accumulator = &quot;fp32&quot;。</translation>
    </message>
    <message>
        <source>{device} does not respond.</source>
        <translation>{device} 没有响应。</translation>
    </message>
    <message>
        <source>Check the card and its driver, then refresh, or set device.kind = &quot;cpu&quot;.</source>
        <translation>请检查显卡及其驱动程序，然后刷新，或设置 device.kind = &quot;cpu&quot;。</translation>
    </message>
    <message>
        <source>{device} is in use by another run.</source>
        <translation>{device} 正被另一个运行使用。</translation>
    </message>
    <message>
        <source>Process {process} trains {run} on it.</source>
        <translation>进程 {process} 正在其上训练 {run}。</translation>
    </message>
    <message>
        <source>Wait until it has ended, or set device.kind = &quot;cpu&quot;.</source>
        <translation>请等它结束，或设置 device.kind = &quot;cpu&quot;。</translation>
    </message>
    <message>
        <source>The output folder {folder} is not writable.</source>
        <translation>输出文件夹 {folder} 不可写。</translation>
    </message>
    <message>
        <source>Choose another library, or ask for write permission there and free some disk space.</source>
        <translation>请选择另一个库，或获取该处的写入权限并释放磁盘空间。</translation>
    </message>
    <message>
        <source>{~model}, {~dataset}, {effective} = {micro} x {steps}</source>
        <translation>{~model}，{~dataset}，{effective} = {micro} × {steps}</translation>
    </message>
    <message>
        <source>{subject}</source>
        <translation>{subject}</translation>
    </message>
    <message>
        <source>{~model} on {~dataset}, {precision}</source>
        <translation>{~dataset} 上的 {~model}，{precision}</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>The loss or gradient of window {window} was not finite; no update was made.{@place}</source>
        <translation>窗口 {window} 的损失或梯度非有限；未进行参数更新。{@place}</translation>
    </message>
    <message>
        <source>Window {window} left out micro-steps whose loss or gradient was not finite ({#leftOut}).{@place}</source>
        <translation>窗口 {window} 略过了损失或梯度非有限的微步（{#leftOut} 个）。{@place}</translation>
    </message>
    <message>
        <source>, layer {layer}</source>
        <translation>，层 {layer}</translation>
    </message>
    <message>
        <source>, gradient of layer {layer}</source>
        <translation>，层 {layer} 的梯度</translation>
    </message>
    <message>
        <source>, in the samples</source>
        <translation>，在样本中</translation>
    </message>
    <message>
        <source>, before the first layer</source>
        <translation>，在第一层之前</translation>
    </message>
    <message>
        <source>, in the loss</source>
        <translation>，在损失中</translation>
    </message>
    <message>
        <source> First at micro-step {microStep} of {microSteps}{@where}.</source>
        <translation>最先出现于微步 {microStep} / {microSteps}{@where}。</translation>
    </message>
    <message>
        <source> Each micro-step is finite, but their sum is not{@where}.</source>
        <translation>各微步本身均为有限，其和非有限{@where}。</translation>
    </message>
    <message>
        <source>{pairs} pairs of groups are judged together: the p values are corrected by Holm&apos;s method, for equivalence {pEquivalence}, for a difference {pDifference}.</source>
        <translation>{pairs} 个组对一并判定：p 值按 Holm 法校正，等价 {pEquivalence}，差异 {pDifference}。</translation>
    </message>
    <message>
        <source>{pairs} pairs of groups are judged together, each by {metrics} metrics: the p values are corrected by Holm&apos;s method, for equivalence {pEquivalence}, for a difference {pDifference}.</source>
        <translation>{pairs} 个组对一并判定，每对依据 {metrics} 个指标：p 值按 Holm 法校正，等价 {pEquivalence}，差异 {pDifference}。</translation>
    </message>
    <message>
        <source>group C</source>
        <translation>C 组</translation>
    </message>
    <message>
        <source>group D</source>
        <translation>D 组</translation>
    </message>
    <message>
        <source>group E</source>
        <translation>E 组</translation>
    </message>
    <message>
        <source>group F</source>
        <translation>F 组</translation>
    </message>
    <message>
        <source>group G</source>
        <translation>G 组</translation>
    </message>
    <message>
        <source>group H</source>
        <translation>H 组</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>它是空的</translation>
    </message>
    <message>
        <source>it is longer than a file name may be</source>
        <translation>它超过了文件名允许的长度</translation>
    </message>
    <message>
        <source>More windows left out micro-steps; the first {notes} are noted.</source>
        <translation>还有更多窗口略去了微步；只记录前 {notes} 个。</translation>
    </message>
    <message>
        <source>Give one study, two to eight runs, or groups of runs with --a, --b and, for more of them, --c to --h.</source>
        <translation>可以是一项研究、二到八次运行，或用 --a、--b（更多组用 --c 到 --h）给出的几组运行。</translation>
    </message>
    <message>
        <source>The data set {@name} was not found.</source>
        <translation>未找到数据集 {@name}。</translation>
    </message>
    <message>
        <source>Set data.path to the folder with its four IDX files: {@files}. Or use data.dataset = &quot;digits-generated&quot;, which needs none.</source>
        <translation>请将 data.path 设为包含以下四个 IDX 文件的文件夹：{@files}。也可使用不需要文件的 data.dataset = &quot;digits-generated&quot;。</translation>
    </message>
    <message>
        <source>Set data.path to a folder with data_batch_1.bin, data_batch_2.bin, ... (one is enough) and test_batch.bin: the binary version of CIFAR-10, with 1 byte of label and 3072 bytes of pixels per image. The files may also be in cifar-10-batches-bin/ or in train/ and test/ below it, and end in .gz. They take 184 MB; their authors state no licence. With data.dataset = &quot;textures-generated&quot; no files are needed.</source>
        <translation>请将 data.path 设为包含 data_batch_1.bin、data_batch_2.bin、...（有一个即可）和 test_batch.bin 的文件夹，即 CIFAR-10 的二进制版本：每幅图像有 1 字节标签和 3072 字节像素。这些文件也可以位于其下的 cifar-10-batches-bin/ 或 train/ 和 test/ 中，并可以 .gz 结尾。共 184 MB；作者未声明许可协议。data.dataset = &quot;textures-generated&quot; 不需要文件。</translation>
    </message>
    <message>
        <source>Set data.path to a folder with train.bin and test.bin: the binary version of CIFAR-100, with 2 bytes of labels and 3072 bytes of pixels per image. The files may also be in cifar-100-binary/ or in train/ and test/ below it, and end in .gz. They take 184 MB; their authors state no licence.</source>
        <translation>请将 data.path 设为包含 train.bin 和 test.bin 的文件夹，即 CIFAR-100 的二进制版本：每幅图像有 2 字节标签和 3072 字节像素。这些文件也可以位于其下的 cifar-100-binary/ 或 train/ 和 test/ 中，并可以 .gz 结尾。共 184 MB；作者未声明许可协议。</translation>
    </message>
    <message>
        <source>Set data.path to a text file or to a folder with one .txt file. With data.dataset = &quot;text&quot;, a token file (.bin) or a folder with train.bin works too. With data.dataset = &quot;tinyshakespeare&quot;, leave it empty to use the bundled plays (1.1 MB, in the public domain).</source>
        <translation>请将 data.path 设为一个文本文件，或只含一个 .txt 文件的文件夹；若 data.dataset = &quot;text&quot;，也可设为词元文件（.bin）或含 train.bin 的文件夹。若 data.dataset = &quot;tinyshakespeare&quot;，可留空以使用内置的剧本（1.1 MB，属于公有领域）。</translation>
    </message>
    <message>
        <source>The GPUs of the ranks can no longer exchange gradients.</source>
        <translation>各 rank 的 GPU 无法再交换梯度。</translation>
    </message>
    <message>
        <source>Resume the run. With NCCL_DEBUG=WARN in the environment NCCL says more.</source>
        <translation>请继续该运行。在环境变量中设置 NCCL_DEBUG=WARN 可让 NCCL 给出更多信息。</translation>
    </message>
    <message>
        <source>The library {file} is not there, so another one is open.</source>
        <translation>库 {file} 不在原处，因此打开了另一个库。</translation>
    </message>
    <message>
        <source>It was moved or deleted, or its disk is not connected.</source>
        <translation>它已被移动或删除，或所在的磁盘没有连接。</translation>
    </message>
    <message>
        <source>Open it from where it is now with File &gt; Open library.</source>
        <translation>请用“文件 &gt; 打开库”从它现在的位置打开。</translation>
    </message>
    <message>
        <source>Use the CPU</source>
        <translation>使用 CPU</translation>
    </message>
    <message>
        <source>Audit only</source>
        <translation>仅审计</translation>
    </message>
    <message>
        <source>The ranks exchange gradients through host memory, not directly between the GPUs: {@reason}.</source>
        <translation>各 rank 的梯度在主机内存中汇合，而不是在 GPU 之间直接汇合：{@reason}。</translation>
    </message>
    <message>
        <source>train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, 55 MB (12 MB as .gz), under CC BY-SA 3.0</source>
        <translation>train-images-idx3-ubyte、train-labels-idx1-ubyte、t10k-images-idx3-ubyte 和 t10k-labels-idx1-ubyte，共 55 MB（.gz 为 12 MB），许可协议为 CC BY-SA 3.0</translation>
    </message>
    <message>
        <source>train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, 55 MB (31 MB as .gz), under the MIT licence</source>
        <translation>train-images-idx3-ubyte、train-labels-idx1-ubyte、t10k-images-idx3-ubyte 和 t10k-labels-idx1-ubyte，共 55 MB（.gz 为 31 MB），许可协议为 MIT</translation>
    </message>
    <message>
        <source>{mean}</source>
        <translation>{mean}</translation>
    </message>
    <message>
        <source>{mean} ({lowest} to {highest})</source>
        <translation>{mean}（{lowest} 至 {highest}）</translation>
    </message>
    <message>
        <source>Other programs used up to {percent} % of the processor while these runs trained: times are not comparable.</source>
        <translation>这些运行训练期间，其他程序最多占用了 {percent} % 的处理器：时间不可比较。</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>this build has no NCCL</source>
        <translation>此构建不含 NCCL</translation>
    </message>
    <message>
        <source>several ranks share one GPU</source>
        <translation>多个 rank 共用一块 GPU</translation>
    </message>
    <message>
        <source>the gradients of the ranks meet in every micro-step</source>
        <translation>各 rank 的梯度在每个微步都要汇合</translation>
    </message>
    <message>
        <source>Set device.capture = &quot;auto&quot;, or parallel.mode = &quot;ddp&quot; and parallel.order = &quot;ranks&quot;</source>
        <translation>请设置 device.capture = &quot;auto&quot;，或 parallel.mode = &quot;ddp&quot; 并 parallel.order = &quot;ranks&quot;</translation>
    </message>
    <message>
        <source>NCCL failed: {@reason}.</source>
        <translation>NCCL 出错：{@reason}。</translation>
    </message>
    <message>
        <source>the ranks did not find each other within 60 s</source>
        <translation>各 rank 在 60 秒内未能互相找到</translation>
    </message>
    <message>
        <source>the first rank uses another NCCL</source>
        <translation>首个 rank 使用的是另一个 NCCL</translation>
    </message>
    <message>
        <source>an exchange was broken off before</source>
        <translation>此前的一次交换已中断</translation>
    </message>
    <message>
        <source>Chinese cannot be shown: no installed font has Chinese characters.</source>
        <translation>无法显示中文：已安装的字体都不含中文字符。</translation>
    </message>
    <message>
        <source>Every character would appear as an empty box.</source>
        <translation>每个字都会显示为空方框。</translation>
    </message>
    <message>
        <source>Install such a font (on Debian and Ubuntu: sudo apt install fonts-noto-cjk), start Accumulus again and choose Chinese in View &gt; Language. Until then the window is in English.</source>
        <translation>请安装中文字体（Debian 和 Ubuntu：sudo apt install fonts-noto-cjk），重新启动 Accumulus，然后在“视图 &gt; 语言”中选择中文。在此之前窗口使用英文。</translation>
    </message>
    <message>
        <source>In detail: {@reasons}</source>
        <translation>详细信息：{@reasons}</translation>
    </message>
    <message>
        <source>BatchNorm uses the statistics of each micro-batch ({micro}), not of {effective}. It is kept: audits and comparisons mark the arms as different methods.</source>
        <translation>BatchNorm 使用每个微批次（{micro} 个样本）的统计量，而不是 {effective} 个样本的统计量。已选择保留：审计和对比会把两组标记为不同的方法。</translation>
    </message>
    <message>
        <source>FP16 shares one loss scale over the window: what overflows is computed again at a lower scale, and where no scale helps, the whole update is skipped.</source>
        <translation>FP16 在整个累积窗口内共用一个损失缩放：溢出的部分会用更低的缩放重新计算；任何缩放都无济于事时，跳过整次参数更新。</translation>
    </message>
    <message>
        <source>FP16 with a fixed scale shared over the window: an overflow skips the whole update.</source>
        <translation>FP16 使用整个累积窗口共用的固定缩放：一旦溢出，就跳过整次参数更新。</translation>
    </message>
    <message>
        <source>Keep and mark</source>
        <translation>保留并标记</translation>
    </message>
    <message>
        <source>rank {rank}: {@reason}</source>
        <translation>rank {rank}：{@reason}</translation>
    </message>
    <message>
        <source>Resume bundles were passed over: {@reasons} The run continues from {file}, at update {#update}.</source>
        <translation>跳过了以下恢复包：{@reasons} 运行从 {file} 继续，位于参数更新 {#update}。</translation>
    </message>
    <message>
        <source>{file} is missing.</source>
        <translation>{file} 不存在。</translation>
    </message>
    <message>
        <source>{run}: {@error}</source>
        <translation>{run}：{@error}</translation>
    </message>
    <message>
        <source>final validation accuracy</source>
        <translation>最终验证准确率</translation>
    </message>
    <message>
        <source>best validation accuracy</source>
        <translation>最佳验证准确率</translation>
    </message>
    <message>
        <source>final validation loss</source>
        <translation>最终验证损失</translation>
    </message>
    <message>
        <source>final mean absolute validation error</source>
        <translation>最终验证平均绝对误差</translation>
    </message>
    <message>
        <source>final root mean squared validation error</source>
        <translation>最终验证均方根误差</translation>
    </message>
    <message>
        <source>validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>mean absolute validation error</source>
        <translation>验证平均绝对误差</translation>
    </message>
    <message>
        <source>root mean squared validation error</source>
        <translation>验证均方根误差</translation>
    </message>
    <message>
        <source>it is measured on validation samples, and there are none</source>
        <translation>它在验证样本上测量，而现在没有验证样本</translation>
    </message>
    <message>
        <source>Raise data.validation, or set study.metric = &quot;auto&quot; or &quot;{metric}&quot;</source>
        <translation>请增大 data.validation，或设置 study.metric = &quot;auto&quot; 或 &quot;{metric}&quot;</translation>
    </message>
    <message>
        <source>{file} cannot be started.</source>
        <translation>无法启动 {file}。</translation>
    </message>
    <message>
        <source>{@reason}. It is the part of Accumulus that trains.</source>
        <translation>{@reason}。它是 Accumulus 的一部分，负责训练。</translation>
    </message>
    <message>
        <source>{file} is not an Accumulus experiment.</source>
        <translation>{file} 不是 Accumulus 实验文件。</translation>
    </message>
    <message>
        <source>It is not written in TOML, the form of experiments (line {line}, column {column}: {@reason}).</source>
        <translation>它不是用实验文件的格式 TOML 写成的（第 {line} 行，第 {column} 列：{@reason}）。</translation>
    </message>
    <message>
        <source>Choose a file that was saved as an experiment.</source>
        <translation>请选择保存为实验的文件。</translation>
    </message>
    <message>
        <source>It has none of an experiment&apos;s settings: {key} (line {line}) is not one.</source>
        <translation>其中没有任何实验设置项：{key}（第 {line} 行）不是设置项。</translation>
    </message>
    <message>
        <source>Choose a file that was saved as an experiment. Did you mean {nearest}?</source>
        <translation>请选择保存为实验的文件。您是否想用 {nearest}？</translation>
    </message>
    <message>
        <source>A verdict needs at least {needed} seeds; this study has 1, the seed with the number {seed}. Each number is one seed, as in 0, 1, 2.</source>
        <translation>得出结论至少需要 {needed} 个种子；此研究只有 1 个，即编号为 {seed} 的种子。每个数字是一个种子，如 0, 1, 2。</translation>
    </message>
    <message>
        <source>Use {seeds} seeds</source>
        <translation>使用 {seeds} 个种子</translation>
    </message>
    <message>
        <source>different whole numbers such as 0, 1, 2, each {@range}</source>
        <translation>互不相同的整数，如 0, 1, 2，每个数的范围：{@range}</translation>
    </message>
    <message>
        <source>whole numbers such as 512, 512, each {@range}</source>
        <translation>整数，如 512, 512，每个数的范围：{@range}</translation>
    </message>
    <message>
        <source>at B = {#effective}: {#samples} times the fewest possible samples, {#updates} times the fewest possible updates</source>
        <translation>B = {#effective} 时：所需样本是最少可能样本数的 {#samples} 倍，参数更新次数是最少可能次数的 {#updates} 倍</translation>
    </message>
    <message>
        <source>at B = {#effective} tokens: {#samples} times the fewest possible tokens, {#updates} times the fewest possible updates</source>
        <translation>B = {#effective} 个词元时：所需词元是最少可能词元数的 {#samples} 倍，参数更新次数是最少可能次数的 {#updates} 倍</translation>
    </message>
    <message>
        <source>at B = {#effective} loss units: {#samples} times the fewest possible units, {#updates} times the fewest possible updates</source>
        <translation>B = {#effective} 个损失单位时：所需单位是最少可能单位数的 {#samples} 倍，参数更新次数是最少可能次数的 {#updates} 倍</translation>
    </message>
    <message>
        <source>{@todo}. The gradient noise scale is {@noise}; {@cost}.</source>
        <translation>{@todo}。梯度噪声尺度为{@noise}；{@cost}。</translation>
    </message>
    <message>
        <source>{@todo}: the gradient noise scale is roughly {#value} samples, and B is {#effective}.</source>
        <translation>{@todo}：梯度噪声尺度大约为 {#value} 个样本，而 B 为 {#effective}。</translation>
    </message>
    <message>
        <source>{@todo}: the gradient noise scale is roughly {#value} tokens, and B is {#effective}.</source>
        <translation>{@todo}：梯度噪声尺度大约为 {#value} 个词元，而 B 为 {#effective}。</translation>
    </message>
    <message>
        <source>{@todo}: the gradient noise scale is roughly {#value} loss units, and B is {#effective}.</source>
        <translation>{@todo}：梯度噪声尺度大约为 {#value} 个损失单位，而 B 为 {#effective}。</translation>
    </message>
    <message>
        <source>a larger batch would still save updates and cost little more data</source>
        <translation>更大的批量仍能减少参数更新次数，且几乎不多用数据</translation>
    </message>
    <message>
        <source>this batch is a good compromise between data and updates</source>
        <translation>此批量在数据量与参数更新次数之间取得了良好的折中</translation>
    </message>
    <message>
        <source>a smaller batch would need less data and hardly more updates</source>
        <translation>更小的批量所需数据更少，而参数更新次数几乎不增加</translation>
    </message>
</context>
<context>
    <name>reports</name>
    <message>
        <source> (not fixed before)</source>
        <translation>（事先未确定）</translation>
    </message>
    <message>
        <source>Metrics judged together; p values corrected by Holm&apos;s method, those of equivalence and those of a difference each by themselves. Accuracies in percentage points</source>
        <translation>一并评判的指标；p 值按 Holm 方法校正，等价的与差异的各自校正。准确率以百分点计</translation>
    </message>
    <message>
        <source>Smallest margin that would pass, if judged alone</source>
        <translation>单独评判时能通过的最小界限</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>p, equivalence</source>
        <translation>p（等价）</translation>
    </message>
    <message>
        <source>p, difference</source>
        <translation>p（差异）</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>seed {}, {} weights</source>
        <translation>随机种子 {}，{} 权重</translation>
    </message>
    <message>
        <source>Weights of the micro-batches</source>
        <translation>各微批次的权重</translation>
    </message>
    <message>
        <source>Micro-batch of the window</source>
        <translation>窗口中的微批次</translation>
    </message>
    <message>
        <source>Weight in the gradient</source>
        <translation>在梯度中的权重</translation>
    </message>
    <message>
        <source>right: n_k / N</source>
        <translation>应为：n_k / N</translation>
    </message>
    <message>
        <source>found</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>The weight with which each micro-batch&apos;s gradient stands in the accumulated one, fitted over all tensors, beside the right weight.</source>
        <translation>每个微批次的梯度在累积梯度中所占的权重（对所有张量拟合得出），旁边是应有的权重。</translation>
    </message>
    <message>
        <source>Relative L2 error of each tensor against the large batch, its distances to the fp64 reference, and the noise floor: the large batch against itself with its samples permuted.</source>
        <translation>每个张量相对于大批量的相对 L2 误差、二者到 fp64 参考值的距离，以及噪声底：大批量与打乱样本顺序的自身相比。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>To fp64</source>
        <translation>到 fp64</translation>
    </message>
    <message>
        <source>Large to fp64</source>
        <translation>大批量到 fp64</translation>
    </message>
    <message>
        <source>Noise floor</source>
        <translation>噪声底</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>FAILED</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>Gradient audit</source>
        <translation>梯度审计</translation>
    </message>
    <message>
        <source>Earlier audits:</source>
        <translation>更早的审计：</translation>
    </message>
    <message>
        <source>Training samples seen</source>
        <translation>已见训练样本数</translation>
    </message>
    <message>
        <source>{}, mean of {}</source>
        <translation>{}，{} 次的均值</translation>
    </message>
    <message>
        <source> Bands: {} over {}.</source>
        <translation> 带状区间：{}，共 {}。</translation>
    </message>
    <message>
        <source>{} pair</source>
        <translation>{} 对</translation>
    </message>
    <message>
        <source>{} pairs</source>
        <translation>{} 对</translation>
    </message>
    <message>
        <source>{} seed</source>
        <translation>{} 个随机种子</translation>
    </message>
    <message>
        <source>{} seeds</source>
        <translation>{} 个随机种子</translation>
    </message>
    <message>
        <source>Circle: mean difference. Bar: its 90 % interval. Grey: the margin.</source>
        <translation>圆点：平均差。横条：其 90 % 区间。灰色：等价界限。</translation>
    </message>
    <message>
        <source> A single prediction changes the metric by more than the margin, so staying inside it does not show equivalence.</source>
        <translation>一个预测的对错使指标改变的幅度超过等价界限：落在界限内不能证明等价。</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Runs that were not used</source>
        <translation>未使用的运行</translation>
    </message>
    <message>
        <source>One update in each group</source>
        <translation>每一组的一次参数更新</translation>
    </message>
    <message>
        <source>{}: micro-batch × accumulation steps = {}.</source>
        <translation>{}：微批次 × 累积步数 = {}。</translation>
    </message>
    <message>
        <source>Difference in {}, {} − {}</source>
        <translation>{}之差，{} − {}</translation>
    </message>
    <message>
        <source>mean of {}</source>
        <translation>{}的均值</translation>
    </message>
    <message>
        <source> {} values of the difference curves had to be interpolated.</source>
        <translation> 差值曲线中有 {} 个值由插值得到。</translation>
    </message>
    <message>
        <source>Difference per pair at equal samples, from unsmoothed values.{}{}</source>
        <translation>在相同样本数处每对运行的差，取自未平滑的值。{}{}</translation>
    </message>
    <message>
        <source>Accuracy on the test set.</source>
        <translation>测试集上的准确率。</translation>
    </message>
    <message>
        <source>{} at each evaluation.</source>
        <translation>每次评估时的{}。</translation>
    </message>
    <message>
        <source>Percentage points</source>
        <translation>百分点</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Loss per sample</source>
        <translation>每样本损失</translation>
    </message>
    <message>
        <source>Loss per token</source>
        <translation>每词元损失</translation>
    </message>
    <message>
        <source>Loss per loss unit</source>
        <translation>每损失单位的损失</translation>
    </message>
    <message>
        <source>Each run&apos;s loss per window, smoothed over all windows by a debiased exponential average with factor {}; the difference below is unsmoothed.</source>
        <translation>每个运行各窗口的损失，对所有窗口以系数 {} 作去偏指数平均；下方的差未经平滑。</translation>
    </message>
    <message>
        <source>Loss per window, unsmoothed.</source>
        <translation>每个窗口的损失，未平滑。</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>{} per seed</source>
        <translation>各随机种子的{}</translation>
    </message>
    <message>
        <source>, in %; the difference in percentage points</source>
        <translation>（%；差以百分点计）</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>SD</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Each seed</source>
        <translation>各随机种子</translation>
    </message>
    <message>
        <source>{} to {}</source>
        <translation>{} 至 {}</translation>
    </message>
    <message>
        <source>, set {}</source>
        <translation>，设定于 {}</translation>
    </message>
    <message>
        <source>, the metric&apos;s default</source>
        <translation>，该指标的默认值</translation>
    </message>
    <message>
        <source>, after the results were seen</source>
        <translation>，在看到结果之后设定</translation>
    </message>
    <message>
        <source>The test in numbers</source>
        <translation>检验的数值</translation>
    </message>
    <message>
        <source>Two one-sided paired t tests (TOST) for equivalence, the two-sided paired t test for a difference</source>
        <translation>等价性用两个单侧配对 t 检验（TOST），差异用双侧配对 t 检验</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>配对数</translation>
    </message>
    <message>
        <source>Mean difference</source>
        <translation>平均差</translation>
    </message>
    <message>
        <source>Standard error</source>
        <translation>标准误</translation>
    </message>
    <message>
        <source>90 % interval</source>
        <translation>90 % 区间</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>等价界限</translation>
    </message>
    <message>
        <source>p of the equivalence test</source>
        <translation>等价检验的 p 值</translation>
    </message>
    <message>
        <source>p of the difference test</source>
        <translation>差异检验的 p 值</translation>
    </message>
    <message>
        <source>Significance level</source>
        <translation>显著性水平</translation>
    </message>
    <message>
        <source>Smallest margin that would pass</source>
        <translation>可通过的最小界限</translation>
    </message>
    <message>
        <source>Spread between seeds of one group (SD)</source>
        <translation>组内随机种子之间的离散（标准差）</translation>
    </message>
    <message>
        <source>Equivalence is shown when the whole 90 % interval lies inside the margin. A difference test that finds nothing does not show equality.</source>
        <translation>当整个 90 % 区间都在界限之内时，等价性才得到证明。差异检验没有发现差异，并不证明相等。</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Training samples per second</source>
        <translation>每秒训练样本数</translation>
    </message>
    <message>
        <source>Active training time</source>
        <translation>净训练时间</translation>
    </message>
    <message>
        <source>Peak tensor memory, training</source>
        <translation>训练时张量的峰值内存</translation>
    </message>
    <message>
        <source>Peak tensor memory, training, of rank 0</source>
        <translation>训练时张量的峰值内存（rank 0）</translation>
    </message>
    <message>
        <source>Speed and memory</source>
        <translation>速度与内存</translation>
    </message>
    <message>
        <source>From the second half of each run; with the multipliers of its effective batch</source>
        <translation>取自每个运行的后半段；附其有效批大小的倍数</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Gradient noise scale B_simple</source>
        <translation>梯度噪声尺度 B_simple</translation>
    </message>
    <message>
        <source>Gradient noise scale</source>
        <translation>梯度噪声尺度</translation>
    </message>
    <message>
        <source>none: one micro-batch a window</source>
        <translation>无：每个窗口只有一个微批次</translation>
    </message>
    <message>
        <source>B_simple in {} (log scale)</source>
        <translation>B_simple，单位：{}（对数刻度）</translation>
    </message>
    <message>
        <source>{}, seed {}</source>
        <translation>{}，随机种子 {}</translation>
    </message>
    <message>
        <source>B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018) of each run, an order of magnitude: ratio of the exponential averages with factor {} of both terms.</source>
        <translation>每个运行的 B_simple = tr Sigma / |G|^2（McCandlish et al. 2018），仅为数量级：两项各以系数 {} 作指数平均后的比值。</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>不同的设置</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>无。</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Expected between partners</source>
        <translation>配对之间预期不同</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Reproduce</source>
        <translation>重现</translation>
    </message>
    <message>
        <source>{} {} and {} {}</source>
        <translation>{} {} 与 {} {}</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>margin ±{:.6g}</source>
        <translation>界限 ±{:.6g}</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>没有数据</translation>
    </message>
    <message>
        <source>Sizes that were tried on {}, {}. Peak memory is that of tensors.</source>
        <translation>在 {} 上试过的大小，{}。峰值内存指张量所占的内存。</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>通道数</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Time per update</source>
        <translation>每次参数更新的时间</translation>
    </message>
    <message>
        <source>Over the best</source>
        <translation>比最快的多</translation>
    </message>
    <message>
        <source>recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>可容纳</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>{}: last value {} at {} samples</source>
        <translation>{}：最后的值 {}，在 {} 个样本处</translation>
    </message>
    <message>
        <source>{}: last value {} at micro-batch {}</source>
        <translation>{}：最后的值 {}，在微批次 {} 处</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>test </source>
        <translation>测试</translation>
    </message>
    <message>
        <source>The {} arm with seed {}: {} over {}.</source>
        <translation>{}组，随机种子 {}：{}，共 {}。</translation>
    </message>
    <message>
        <source>accumulated</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>large-batch</source>
        <translation>大批量</translation>
    </message>
    <message>
        <source>{} update</source>
        <translation>{} 次参数更新</translation>
    </message>
    <message>
        <source>{} updates</source>
        <translation>{} 次参数更新</translation>
    </message>
    <message>
        <source>{} training sample</source>
        <translation>{} 个训练样本</translation>
    </message>
    <message>
        <source>{} training samples</source>
        <translation>{} 个训练样本</translation>
    </message>
    <message>
        <source> {} {} at the end</source>
        <translation> 结束时{}为 {}</translation>
    </message>
    <message>
        <source>, {} at best.</source>
        <translation>，最好为 {}。</translation>
    </message>
    <message>
        <source> The run is not complete.</source>
        <translation> 该运行尚未完成。</translation>
    </message>
    <message>
        <source> (log scale)</source>
        <translation>（对数刻度）</translation>
    </message>
    <message>
        <source>each window, unsmoothed</source>
        <translation>每个窗口，未平滑</translation>
    </message>
    <message>
        <source>smoothed {}</source>
        <translation>平滑 {}</translation>
    </message>
    <message>
        <source>Training loss of each window (faint, unsmoothed) and its debiased exponential average with factor {} over all windows.</source>
        <translation>每个窗口的训练损失（浅色，未平滑），以及对所有窗口以系数 {} 作的去偏指数平均。</translation>
    </message>
    <message>
        <source>Accuracy on the test set at each evaluation.</source>
        <translation>每次评估时测试集上的准确率。</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Mean loss per test sample at each evaluation.</source>
        <translation>每次评估时每个测试样本的平均损失。</translation>
    </message>
    <message>
        <source>Mean loss per test token at each evaluation.</source>
        <translation>每次评估时每个测试词元的平均损失。</translation>
    </message>
    <message>
        <source>Mean loss per loss unit of the test set at each evaluation.</source>
        <translation>每次评估时测试集每个损失单位的平均损失。</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2 范数</translation>
    </message>
    <message>
        <source>L2 norm of each window&apos;s gradient before clipping, unsmoothed.</source>
        <translation>每个窗口的梯度在裁剪之前的 L2 范数，未平滑。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Learning rate of each update.</source>
        <translation>每次参数更新的学习率。</translation>
    </message>
    <message>
        <source>Estimate of the gradient noise scale B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018), an order of magnitude: ratio of the exponential averages with factor {} of both terms. Gaps: the gradient&apos;s mean cannot be told from its noise.</source>
        <translation>梯度噪声尺度 B_simple = tr Sigma / |G|^2 的估计（McCandlish et al. 2018），仅为数量级：两项各以系数 {} 作指数平均后的比值。空缺处：梯度的均值无法与其噪声区分。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Adding</source>
        <translation>累加</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Reducing</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>Sent per update</source>
        <translation>每次参数更新发送</translation>
    </message>
    <message>
        <source>Seconds and share of the {} s that {} windows took. Data, forward and backward are summed over {} of each rank.</source>
        <translation>{} 秒（{} 个窗口）中各项的秒数与占比。数据、前向和反向对每个 rank 的 {} 求和。</translation>
    </message>
    <message>
        <source>{} lane</source>
        <translation>{} 条通道</translation>
    </message>
    <message>
        <source>{} lanes</source>
        <translation>{} 条通道</translation>
    </message>
    <message>
        <source> The last row is what each of R ranks sends on average: f = (R - 1) / R, P elements of S bytes in the parameter arena, K micro-steps per update and rank, A bytes of an element of the sum.</source>
        <translation> 最后一行是 R 个 rank 中每个平均发送的量：f = (R - 1) / R，参数区有 P 个元素、每个 S 字节，每次参数更新每个 rank 有 K 个微步，和的元素占 A 字节。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Run {}</source>
        <translation>运行 {}</translation>
    </message>
    <message>
        <source>One update: micro-batch × accumulation steps = {}.</source>
        <translation>一次参数更新：微批次 × 累积步数 = {}。</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>The run has no measurements yet.</source>
        <translation>该运行还没有测量值。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Batch bar: {} samples in {}, {} done</source>
        <translation>批次条：{} 个样本，分为 {}，已完成 {}</translation>
    </message>
    <message>
        <source>{} micro-batch</source>
        <translation>{} 个微批次</translation>
    </message>
    <message>
        <source>{} micro-batches</source>
        <translation>{} 个微批次</translation>
    </message>
    <message>
        <source>no interval</source>
        <translation>无区间</translation>
    </message>
    <message>
        <source> (90 % interval {} to {})</source>
        <translation>（90 % 区间 {} 至 {}）</translation>
    </message>
    <message>
        <source> (no interval)</source>
        <translation>（无区间）</translation>
    </message>
    <message>
        <source>Mean difference {}, margin ±{:.6g}{}</source>
        <translation>平均差 {}，界限 ±{:.6g}{}</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Arm</source>
        <translation>组别</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Micro-steps</source>
        <translation>微步</translation>
    </message>
    <message>
        <source>Training loss, last window</source>
        <translation>最后一个窗口的训练损失</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>{} samples/s over {:.1f} s of active training</source>
        <translation>{} 样本/秒，净训练时间 {:.1f} 秒</translation>
    </message>
    <message>
        <source>Lanes and threads</source>
        <translation>通道与线程</translation>
    </message>
    <message>
        <source>Peak tensor memory, evaluations, of rank 0</source>
        <translation>评估时张量的峰值内存（rank 0）</translation>
    </message>
    <message>
        <source>Peak tensor memory, evaluations</source>
        <translation>评估时张量的峰值内存</translation>
    </message>
    <message>
        <source>Resumed</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>{} time</source>
        <translation>{} 次</translation>
    </message>
    <message>
        <source>{} times</source>
        <translation>{} 次</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Why it ended</source>
        <translation>结束原因</translation>
    </message>
    <message>
        <source>Weights hash</source>
        <translation>权重哈希</translation>
    </message>
    <message>
        <source>Configuration hash</source>
        <translation>配置哈希</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Does {} on {} with an effective batch of {} end the same when each update is accumulated as {} and when it is made as {}?</source>
        <translation>{}（数据 {}，有效批大小 {}）：每次参数更新以 {} 累积，与以 {} 一次完成，最终结果是否相同？</translation>
    </message>
    <message>
        <source>Gradient noise scale, second half of the run</source>
        <translation>梯度噪声尺度，运行的后半段</translation>
    </message>
    <message>
        <source>What the batch costs by it</source>
        <translation>据此该批大小的代价</translation>
    </message>
    <message>
        <source>Gradient noise scale, start of the run</source>
        <translation>梯度噪声尺度，运行开始时</translation>
    </message>
    <message>
        <source>Gradient noise scale, mean over the run</source>
        <translation>梯度噪声尺度，全程平均</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>min to max</source>
        <translation>最小至最大</translation>
    </message>
    <message>
        <source>mean ± SD</source>
        <translation>均值 ± 标准差</translation>
    </message>
    <message>
        <source>mean ± SE</source>
        <translation>均值 ± 标准误</translation>
    </message>
    <message>
        <source>95 % confidence</source>
        <translation>95 % 置信区间</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>units</source>
        <translation>损失单位</translation>
    </message>
    <message>
        <source>initial</source>
        <translation>初始</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Audit of {}</source>
        <translation>审计：{}</translation>
    </message>
    <message>
        <source>Plan of {}, effective batch {}</source>
        <translation>规划：{}，有效批大小 {}</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>libtorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>{} ({}, {}). {}.</source>
        <translation>{}（{}，{}）。{}。</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>{}.</source>
        <translation>{}。</translation>
    </message>
    <message>
        <source>p of the equivalence test, corrected by Holm&apos;s method</source>
        <translation>等价检验的 p 值（Holm 法校正）</translation>
    </message>
    <message>
        <source>p of the difference test, corrected by Holm&apos;s method</source>
        <translation>差异检验的 p 值（Holm 法校正）</translation>
    </message>
    <message>
        <source>driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{} of the completed runs of each group, differences over pairs of the same seed</source>
        <translation>各组已完成运行的{}；差值取自种子相同的配对</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Difference from {}</source>
        <translation>与 {} 组之差</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照组</translation>
    </message>
    <message>
        <source>{} groups of runs compared</source>
        <translation>对比 {} 个运行组</translation>
    </message>
    <message>
        <source>All groups against {}</source>
        <translation>各组与 {} 组对比</translation>
    </message>
    <message>
        <source>Verdicts and p values are those after Holm&apos;s correction, over all pairs of groups and all metrics that are judged together. Each pair has its chapter below.</source>
        <translation>结论和 p 值均经 Holm 法校正，涵盖所有组对以及一并判定的全部指标。下文为每个组对各有一章。</translation>
    </message>
    <message>
        <source>{} against {}: {}</source>
        <translation>{} 组与 {} 组：{}</translation>
    </message>
    <message>
        <source>Mean over the runs of each group, with the lowest and the highest run; the ratio is first to second</source>
        <translation>各组运行的均值及最低和最高的运行；比值为第一组比第二组</translation>
    </message>
    <message>
        <source>Settings of both groups</source>
        <translation>两组相同的设置</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>Each run&apos;s loss per window, smoothed over all windows by a centred mean of {} windows; the difference below is unsmoothed.</source>
        <translation>每个运行各窗口的损失，对所有窗口作 {} 个窗口的中心平均；下方的差未经平滑。</translation>
    </message>
</context>
<context>
    <name>units</name>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>次更新</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>micro-steps</source>
        <translation>微步</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>个设备</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>个检查点</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>个头</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>通道</translation>
    </message>
</context>
</TS>
