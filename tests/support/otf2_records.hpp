// The names of OTF2's event and global definition records, for code that does the same with each: X(Enter) X(Leave) …
#pragma once

// clang-format off
#define OTF2_EVENTS(X)                                                                                                 \
  X(BufferFlush) X(CallingContextEnter) X(CallingContextLeave) X(CallingContextSample) X(CommCreate) X(CommDestroy)    \
  X(Enter) X(IoAcquireLock) X(IoChangeStatusFlags) X(IoCreateHandle) X(IoDeleteFile) X(IoDestroyHandle)                \
  X(IoDuplicateHandle) X(IoOperationBegin) X(IoOperationCancelled) X(IoOperationComplete) X(IoOperationIssued)         \
  X(IoOperationTest) X(IoReleaseLock) X(IoSeek) X(IoTryLock) X(Leave) X(MeasurementOnOff) X(Metric)                    \
  X(MpiCollectiveBegin) X(MpiCollectiveEnd) X(MpiIrecv) X(MpiIrecvRequest) X(MpiIsend) X(MpiIsendComplete) X(MpiRecv)  \
  X(MpiRequestCancelled) X(MpiRequestTest) X(MpiSend) X(NonBlockingCollectiveComplete) X(NonBlockingCollectiveRequest) \
  X(OmpAcquireLock) X(OmpFork) X(OmpJoin) X(OmpReleaseLock) X(OmpTaskComplete) X(OmpTaskCreate) X(OmpTaskSwitch)       \
  X(ParameterInt) X(ParameterString) X(ParameterUnsignedInt) X(ProgramBegin) X(ProgramEnd) X(RmaAcquireLock)           \
  X(RmaAtomic) X(RmaCollectiveBegin) X(RmaCollectiveEnd) X(RmaGet) X(RmaGroupSync) X(RmaOpCompleteBlocking)            \
  X(RmaOpCompleteNonBlocking) X(RmaOpCompleteRemote) X(RmaOpTest) X(RmaPut) X(RmaReleaseLock) X(RmaRequestLock)        \
  X(RmaSync) X(RmaTryLock) X(RmaWaitChange) X(RmaWinCreate) X(RmaWinDestroy) X(ThreadAcquireLock) X(ThreadBegin)       \
  X(ThreadCreate) X(ThreadEnd) X(ThreadFork) X(ThreadJoin) X(ThreadReleaseLock) X(ThreadTaskComplete)                  \
  X(ThreadTaskCreate) X(ThreadTaskSwitch) X(ThreadTeamBegin) X(ThreadTeamEnd) X(ThreadWait)

#define OTF2_GLOBAL_DEFINITIONS(X)                                                                                     \
  X(Attribute) X(CallingContext) X(CallingContextProperty) X(Callpath) X(CallpathParameter) X(Callsite)                \
  X(CartCoordinate) X(CartDimension) X(CartTopology) X(ClockProperties) X(Comm) X(Group) X(InterComm)                  \
  X(InterruptGenerator) X(IoDirectory) X(IoFileProperty) X(IoHandle) X(IoParadigm) X(IoPreCreatedHandleState)          \
  X(IoRegularFile) X(Location) X(LocationGroup) X(LocationGroupProperty) X(LocationProperty) X(MetricClass)            \
  X(MetricClassRecorder) X(MetricInstance) X(MetricMember) X(Paradigm) X(ParadigmProperty) X(Parameter) X(Region)      \
  X(RmaWin) X(SourceCodeLocation) X(String) X(SystemTreeNode) X(SystemTreeNodeDomain) X(SystemTreeNodeProperty)
// clang-format on
