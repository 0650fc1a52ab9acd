"""The values that gaugeblock reasons about: frozen, deep, and deriving nothing but the four availabilities of a node."""

from gaugeblock.model.catalog import Catalog, Function, Image, Layer
from gaugeblock.model.decisions import Decisions, Dispatch, Eviction, Failure, Prewarm, Termination, Transfer
from gaugeblock.model.errors import GaugeblockError
from gaugeblock.model.names import (
    LARGEST_DATE,
    LARGEST_INTEGER,
    ContainerId,
    FunctionName,
    ImageName,
    InvocationId,
    LayerName,
    NodeName,
)
from gaugeblock.model.nodes import Container, ContainerStatus, Node, NodeStatus, ResidentLayer
from gaugeblock.model.plans import Deficits, Need, PlacementPass, Plan, Reclamation
from gaugeblock.model.policies import ParameterValue, PolicyKind, PolicyName, PolicyNames, ReuseCandidate, ScalingRequests
from gaugeblock.model.problems import InvalidState, Problem
from gaugeblock.model.state import Invocation, ObservedState
from gaugeblock.model.trace import (
    NodeFinding,
    PassTrace,
    PlacementTrace,
    ReclamationStep,
    ReclamationStepKind,
    ReclamationTrace,
    RoundTrace,
    WakeupReport,
)
from gaugeblock.model.value import Value, replace
from gaugeblock.model.working import WorkingContainer, WorkingNode, WorkingState

__all__ = [
    "LARGEST_DATE",
    "LARGEST_INTEGER",
    "Catalog",
    "Container",
    "ContainerId",
    "ContainerStatus",
    "Decisions",
    "Deficits",
    "Dispatch",
    "Eviction",
    "Failure",
    "Function",
    "FunctionName",
    "GaugeblockError",
    "Image",
    "ImageName",
    "InvalidState",
    "Invocation",
    "InvocationId",
    "Layer",
    "LayerName",
    "Need",
    "Node",
    "NodeFinding",
    "NodeName",
    "NodeStatus",
    "ObservedState",
    "ParameterValue",
    "PassTrace",
    "PlacementPass",
    "PlacementTrace",
    "Plan",
    "PolicyKind",
    "PolicyName",
    "PolicyNames",
    "Prewarm",
    "Problem",
    "Reclamation",
    "ReclamationStep",
    "ReclamationStepKind",
    "ReclamationTrace",
    "ResidentLayer",
    "ReuseCandidate",
    "RoundTrace",
    "ScalingRequests",
    "Termination",
    "Transfer",
    "Value",
    "WakeupReport",
    "WorkingContainer",
    "WorkingNode",
    "WorkingState",
    "replace",
]
